"""Adapters to frameworks, one module each; each imports its framework when it is used, not before."""

from __future__ import annotations
