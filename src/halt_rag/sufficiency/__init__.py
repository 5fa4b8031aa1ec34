"""Splitting a wrong answer by whether the context held the answer."""

from __future__ import annotations

from halt_rag.sufficiency.autorater import check_sufficiency
from halt_rag.sufficiency.diagnose import Answered, Diagnosis, DiagnosisReport, Share, diagnose
from halt_rag.sufficiency.result import SubQuestion, Sufficiency

__all__ = [
    "Answered",
    "Diagnosis",
    "DiagnosisReport",
    "Share",
    "SubQuestion",
    "Sufficiency",
    "check_sufficiency",
    "diagnose",
]
