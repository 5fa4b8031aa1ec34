"""Measuring and fitting on labelled data."""
