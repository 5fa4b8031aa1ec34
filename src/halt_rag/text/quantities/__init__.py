"""Quantities in running text: numbers, money, measures, dates, times, durations, versions, ranges."""

from __future__ import annotations

from halt_rag.text.quantities.model import Bound, Day, Kind, Quantity, Reading
from halt_rag.text.quantities.scan import find_quantities

__all__ = ["Bound", "Day", "Kind", "Quantity", "Reading", "find_quantities"]
