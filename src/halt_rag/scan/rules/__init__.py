"""The rules, in the order in which they claim a place: an earlier claim hides later ones inside it."""

from __future__ import annotations

from halt_rag.errors import UnknownNameError
from halt_rag.scan.outcome import DetectionType, Rule
from halt_rag.scan.rules import (
    citation_arxiv,
    citation_author_year,
    citation_date,
    citation_doi,
    citation_et_al,
    citation_id,
    citation_key,
    citation_mismatch,
    citation_number,
    citation_quote,
    citation_year,
    contradiction_self,
    entity_unknown,
    reference_issue,
    reference_link,
    reference_path,
    requirement_id,
    scope_source,
    statistic_counts,
    statistic_percent,
    statistic_speedup,
    statistic_studies,
    technical_attribute,
    technical_import,
    technical_install,
    technical_syntax,
    technical_version,
)

MODULES = (
    citation_doi,
    citation_arxiv,
    citation_key,
    reference_path,
    reference_link,
    citation_mismatch,
    citation_author_year,
    citation_id,
    citation_et_al,
    contradiction_self,
    citation_year,
    citation_date,
    citation_quote,
    citation_number,
    requirement_id,
    reference_issue,
    statistic_counts,
    statistic_percent,
    statistic_speedup,
    statistic_studies,
    technical_version,
    technical_syntax,
    technical_import,
    technical_install,
    technical_attribute,
    entity_unknown,
    scope_source,
)
RULES: tuple[Rule, ...] = tuple(module.RULE for module in MODULES)
BY_CODE = {rule.code: rule for rule in RULES}
CRASHED = "HR901"
"""The code of findings about a rule that failed."""


def chosen(names: list[str] | tuple[str, ...]) -> tuple[Rule, ...]:
    """The rules that codes, rule names and detection types name; all rules if none is given.

    Raises:
        UnknownNameError: If a name stands for no rule.
    """
    if not names:
        return RULES
    for name in names:
        if not is_name(name):
            known = [*BY_CODE, *(rule.name for rule in RULES), *DetectionType]
            raise UnknownNameError("rule or type", name, known)
    return tuple(rule for rule in RULES if {rule.code, rule.name, rule.type.value} & set(names))


def is_name(name: str) -> bool:
    """Whether this is a rule's code or name, or a detection type."""
    return name in BY_CODE or name in set(DetectionType) or any(rule.name == name for rule in RULES) or name == CRASHED
