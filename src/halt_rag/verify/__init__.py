"""Verification: claims, evidence, calibrated probability, decision."""
