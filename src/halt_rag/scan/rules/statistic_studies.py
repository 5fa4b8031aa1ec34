"""Research that is called upon and not named: "studies show".

## What it does
Reads phrases such as *studies show*, *research demonstrates*, *experts agree*, and looks for a citation in the same
paragraph. If the cited papers are all of low grade and the verb claims certainty, the wording is too strong.

## Why is this bad?
The phrase borrows authority; without a citation nobody can look.

## Example
``Studies show that retries help.`` is reported. ``Research demonstrates that standups help (REF-045).`` is reported at
the verb if the corpus grades REF-045 as low; ``Limited evidence suggests`` fits.

## Limits
Grades are only known where the corpus has them. English, German, French and Spanish; *our experiments show* is the
document's own work and passes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain

from halt_rag.scan.document import Document
from halt_rag.scan.ids import paper_ids
from halt_rag.scan.knowledge import Knowledge
from halt_rag.scan.nearby import Sources
from halt_rag.scan.outcome import DetectionType, Outcome, Rule, Severity, abstained, verified
from halt_rag.text.spans import Span

CHECK = "has_citation"
_PHRASES = (
    re.compile(
        r"(?<!\w)(?<!\b[Oo]ur )(?<!\b[Mm]y )(?:(?:recent|many|several|numerous|multiple|some|most|scientific|empirical|"
        r"limited|clinical|academic|new|early|prior|previous)\s){0,2}(?P<who>studies|research|researchers|surveys|"
        r"experiments|evidence|scientists|experts|literature)\s(?:(?:has|have|had|consistently|clearly|also|"
        r"conclusively|repeatedly|often)\s){0,2}(?P<verb>shows?|showed|shown|demonstrates?|demonstrated|proves?|proved|"
        r"proven|confirms?|confirmed|suggests?|suggested|indicates?|indicated|finds?|found|establish(?:es|ed)?|agrees?|"
        r"agreed|reveals?|revealed)(?!\w)",
        re.IGNORECASE,
    ),
    re.compile(
        r"(?<!\w)(?<!\b[Uu]nsere )(?P<who>Studien|Untersuchungen|Forschung|Forschungen|Forscher|Experten|Umfragen|"
        r"Wissenschaftler)\s(?:haben\s|hat\s)?(?P<verb>zeig(?:t|en|te|ten)|beleg(?:t|en|te|ten)|beweis(?:t|en)|"
        r"bestätig(?:t|en|te|ten)|ergaben|deuten|sind\ssich\seinig|gezeigt|nachgewiesen)(?!\w)"
    ),
    re.compile(
        r"(?<!\w)(?<!\b[Nn]os )(?P<who>études|recherches?|chercheurs|experts|enquêtes|scientifiques)\s"
        r"(?:(?:récentes|scientifiques|cliniques|récents)\s){0,2}(?:ont\s|a\s)?(?P<verb>montr(?:e|ent|é)|"
        r"démontr(?:e|ent|é)|prouv(?:e|ent|é)|confirm(?:e|ent|é)|suggèrent|indiquent|révèlent|s['’]accordent)(?!\w)",
        re.IGNORECASE,
    ),
    re.compile(
        r"(?<!\w)(?<!\b[Nn]uestros )(?P<who>estudios|investigación|investigaciones|investigadores|expertos|encuestas|"
        r"científicos)\s(?:(?:recientes|científicos|clínicos)\s){0,2}(?:han?\s)?(?P<verb>demuestran?|muestran?|prueban?|"
        r"confirman?|sugieren?|indican?|revelan?|demostrado|mostrado|coinciden)(?!\w)",
        re.IGNORECASE,
    ),
)
_STRONG = re.compile(
    r"show|demonstrat|prove|confirm|establish|reveal|zeig|beleg|beweis|bestätig|montr|démontr|prouv|demuestr|prueb",
    re.IGNORECASE,
)
_LOW = frozenset({"low", "very low", "very-low", "very_low", "weak", "anecdotal"})


def check(document: Document, known: Knowledge) -> Iterator[Outcome]:
    """Yields one outcome per phrase."""
    if not document.narrates:
        return
    sources: Sources | None = None
    for match in sorted(chain(*(phrase.finditer(document.prose) for phrase in _PHRASES)), key=lambda m: m.start()):
        sources = sources or Sources(document, known)
        span = Span(match.start("who"), match.end())
        near = sources.near(span)
        if near.state == "questionable":
            yield abstained(span, CHECK, "source_in_question")
        elif near.state == "found":
            weak = _weak_papers(document, known, span) if _STRONG.match(match["verb"]) else []
            yield _too_strong(Span(*match.span("verb")), weak) if weak else verified(span, CHECK)
        else:
            yield Outcome(
                span, CHECK, "detected", expected="A citation nearby", actual="No citation found",
                note=f"footnote {near.dangling} is not defined" if near.dangling else "",
                source="The paragraph, item or row around it", suggestion="Name the studies or drop the phrase.",
            )  # fmt: skip


def _weak_papers(document: Document, known: Knowledge, span: Span) -> list[str]:
    """The papers cited in the sentence, if all are of low grade; none otherwise."""
    corpus = known.papers
    cited = [match[0] for match in paper_ids(document.sentence(span).of(document.prose), known.id_prefix)]
    papers = [paper for paper in (corpus.get(i) for i in cited) if paper] if corpus else []
    weak = [paper.id for paper in papers if paper.grade in _LOW]
    return weak if papers and len(weak) == len(papers) else []


def _too_strong(span: Span, weak: list[str]) -> Outcome:
    return Outcome(
        span, "wording_fits_grade", "detected", severity=Severity.HIGH, expected="Wording that fits a low grade",
        actual="Wording of certainty", source=f"Grade of {', '.join(weak)} in the corpus",
        suggestion='Write "limited evidence suggests", or cite a stronger source.',
    )  # fmt: skip


RULE = Rule(
    "HR204", "studies", DetectionType.UNSUPPORTED_INFERENCE, Severity.MEDIUM, (CHECK, "wording_fits_grade"), "0.1.0",
    check,
)  # fmt: skip
