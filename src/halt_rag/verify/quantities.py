"""What the sources say about each quantity of a claim: the same, the same in other words, another value, or nothing.

A finding is evidence, not a verdict: it explains a claim and is a feature of its probability. Doubt is ``absent``: a
quantity is called contradicted or derived only where the words around it leave little choice.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from halt_rag.text.quantities import Quantity
from halt_rag.text.quantities.arithmetic import derived
from halt_rag.text.quantities.context import head, stem
from halt_rag.text.quantities.indexed import ReadSource, ReadText
from halt_rag.text.quantities.relation import Relation, relation
from halt_rag.verify.findings import QuantityFinding, SourceSpan, Status, says_little

_ORDER: tuple[Status, ...] = ("matched", "converted", "derived", "contradicted", "absent")
_OPERANDS = 12
_QUESTION = 0.4  # What a word of the question counts, beside 1 for a neighbour of the quantity.
_CLEAR = 1.5  # How much better another value's words must fit to outweigh the same value elsewhere.
_FITS, _COVERS = 0.4, 0.65  # What a value must reach to contradict.
_AS_WELL = 0.85  # How well a further value must fit, beside the best, for the source to say both.
_COVERS_OPERANDS = 0.2  # The share of the claim's words that must stand near numbers for arithmetic.
_UNIT_FITS, _UNIT_COVERS = 0.25, 0.4  # The same for the same number with another unit.
_SHORT_COVERS = 0.85  # The same for a short answer, of which only the question says what it is about.
_BACK = 4  # Sentences before a value in which a name may stand that holds for it.
_HOW_MANY = re.compile(r"\b(?:how many|wie viele|combien d[e'’]|cuánt[oa]s)\s?([^\W\d_]+)", re.IGNORECASE)
_NEGATIONS = frozenset("not no never n't nicht kein keine keinen pas jamais aucun nunca ningún".split())


class QuantityIndex:
    """The quantities of the sources and the words around them, found once for many claims.

    Args:
        source_texts: The texts of the sources. Building takes time and memory linear in their length.
    """

    def __init__(self, source_texts: Sequence[str]) -> None:
        self.sources = tuple(ReadSource(at, text) for at, text in enumerate(source_texts))

    def __len__(self) -> int:
        return sum(len(source.quantities) for source in self.sources)


def compare(
    claim: str, source_texts: Sequence[str] | QuantityIndex, *, question: str | None = None
) -> list[QuantityFinding]:
    """A finding for each quantity of a claim, in order.

    One source more never makes a ``matched`` or ``converted`` quantity anything else: each source is read by itself and
    the best finding counts, in the order in which ``QuantityFinding.status`` lists them.

    Args:
        claim: A sentence or short text.
        source_texts: The texts of the sources, or an index of them.
        question: The question that the claim answers, if any: its words belong to a short answer, and a quantity that
            it states and no source contradicts is matched.
    """
    asked = _Claim(claim, question)
    if not asked.quantities:
        return []
    index = source_texts if isinstance(source_texts, QuantityIndex) else QuantityIndex(source_texts)
    return [_best(asked, at, index.sources) for at in range(len(asked.quantities))]


def compare_with_each(
    claim: str, index: QuantityIndex, *, question: str | None = None
) -> Iterator[tuple[ReadSource, list[QuantityFinding]]]:
    """What each source says about the quantities of a claim, whatever the others say.

    Yields:
        Each source with a finding for each quantity, in order; nothing for a claim without quantities.
    """
    asked = _Claim(claim, question)
    if asked.quantities:
        for source in index.sources:
            yield source, [_in_source(asked, at, source) for at in range(len(asked.quantities))]


class _Claim(ReadText):
    """A claim, with what its quantities are told apart by."""

    def __init__(self, text: str, question: str | None) -> None:
        super().__init__(text)
        self.asked = ReadText(question) if question else None
        self.around = self.contexts(self.quantities)
        self.own = [sum(context.values()) for context in self.around]
        self.counted = None
        if self.asked:
            how_many = _HOW_MANY.search(question or "")
            self.counted = stem(how_many[1].lower()) if how_many else None
            last = len(self.asked.words.ends)
            for context in self.around:
                for word in self.asked.words.content(0, last):
                    context.setdefault(word, _QUESTION)
        self.weights = [sum(context.values()) for context in self.around]
        self.years = {year for one in self.quantities for year, _, _ in one.days if year > 999}

    def names(self, at: int) -> set[str]:
        """The capitalised words close to a quantity."""
        low, high = self.words.tokens(*(self.words.sentence(self.quantities[at].span.start),) * 2)
        capital = {self.words.stems[place] for place in range(low, high) if self.words.capital[place]}
        return {word for word in capital if self.around[at].get(word, 0.0) > 0.3}

    def short(self, at: int) -> bool:
        """Whether a quantity has hardly a word of the claim around it, so that only the question says what it is."""
        return self.own[at] < 1.0

    def negated(self, at: int) -> bool:
        """Whether a negation stands before a quantity, so that another value does not contradict it."""
        start = self.quantities[at].span.start
        before = self.text[max(0, start - 40) : start].lower().replace("n't", " n't").split()
        return bool(_NEGATIONS & set(before[-4:]))

    def small(self, at: int) -> bool:
        """Whether a quantity says so little that its value alone tells nothing."""
        return says_little(self.quantities[at])

    def telling(self, at: int) -> bool:
        """Whether a quantity is so specific that the same value elsewhere is hardly chance."""
        one = self.quantities[at]
        if one.days:
            return all(month and day for _, month, day in one.days)
        digits = [reading.value.normalize().as_tuple().digits for reading in one.numbers]
        return one.kind in ("version", "time") or (bool(digits) and all(len(some) >= 3 for some in digits))


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A quantity of a source beside one of the claim.

    Attributes:
        at: Its position in the source.
        relation: How the two stand to each other.
        fit: How well the words around it fit, 0 to 1.
        cover: The share of the claim's words, by weight, in its sentence or the one before.
    """

    at: int
    relation: Relation
    fit: float
    cover: float


def _best(claim: _Claim, at: int, sources: Sequence[ReadSource]) -> QuantityFinding:
    best = QuantityFinding(claim.quantities[at], "absent")
    for source in sources:
        found = _in_source(claim, at, source)
        if _ORDER.index(found.status) < _ORDER.index(best.status):
            best = found
        if best.status == "matched":
            return best
    if best.status == "absent" and claim.asked and _stated(claim.quantities[at], claim.asked.quantities):
        return QuantityFinding(claim.quantities[at], "matched", "stated in the question")
    return best


def _stated(one: Quantity, others: Sequence[Quantity]) -> bool:
    return any(relation(one, other) == "equal" for other in others)


def _in_source(claim: _Claim, at: int, source: ReadSource) -> QuantityFinding:
    one = claim.quantities[at]
    every = [_candidate(claim, at, source, place) for place in sorted(source.candidates(one, claim.around[at]))]
    same = [some for some in every if some.relation in ("equal", "bare") and _accepted(claim, at, source, some)]
    spans = [source.items[some.at].span for some in every if some.relation == "near" and source.items[some.at].ends]
    different = [
        some
        for some in every
        if some.relation == "different"
        and source.items[some.at].span not in source.multiples  # Of "half of the 40 left", 40 is not how many left.
        and one.span not in claim.multiples
        and not any(span.overlaps(source.items[some.at].span) for span in spans)
    ]
    rival = _rival(claim, at, source, different)
    if same:
        best = max(same, key=lambda some: (some.relation == "equal", some.fit, -some.at))
        if rival is None or not _outweighs(claim, at, source, rival, same):
            return _same(claim, at, source, best)
        return _contradicted(claim, at, source, rival)
    ends = _ends(claim, at, source) if one.ends else None
    if ends:
        return ends
    steps = _multiple(claim, at, source, every) or _derived(claim, at, source, every)
    if steps:
        return steps
    other = _other_unit(claim, at, source, [some for some in every if some.relation == "other unit"])
    rival = max((some for some in (rival, other) if some), key=lambda some: some.fit, default=None)
    return _contradicted(claim, at, source, rival) if rival else QuantityFinding(one, "absent")


def _outweighs(claim: _Claim, at: int, source: ReadSource, rival: _Candidate, same: Sequence[_Candidate]) -> bool:
    """Whether the words around another value leave no doubt that the same value is stated of something else.

    In one sentence that takes a swap: the claim states the other value too, of the other thing.
    """
    fit = max(some.fit for some in same)
    if claim.short(at) or rival.fit < _CLEAR * fit or rival.fit - fit < 0.2:
        return False
    there = source.items[rival.at]
    sentence = source.words.sentence(there.span.start)
    if all(source.words.sentence(source.items[some.at].span.start) != sentence for some in same):
        return True
    return any(other != at and relation(one, there) == "equal" for other, one in enumerate(claim.quantities))


def _ends(claim: _Claim, at: int, source: ReadSource) -> QuantityFinding | None:
    """A range of the claim whose ends a source states apart, in one sentence."""
    one = claim.quantities[at]
    low, high = (
        {
            source.words.sentence(source.items[place].span.start): place
            for place in source.candidates(end, {})
            if relation(end, source.items[place]) == "equal"
        }
        for end in one.ends
    )
    for sentence in sorted(low.keys() & high.keys()):
        covered = source.words.content(sentence - 1, sentence)
        if not claim.around[at] or covered & claim.around[at].keys():
            places = tuple(SourceSpan(source.position, source.items[some[sentence]].span) for some in (low, high))
            return QuantityFinding(one, "converted", f"{claim.quote(one)} ← both ends", places)
    return None


def _candidate(claim: _Claim, at: int, source: ReadSource, place: int) -> _Candidate:
    context, near = claim.around[at], source.around[place]
    related = relation(claim.quantities[at], source.items[place])
    if related in ("unrelated", "near") or not context:
        return _Candidate(place, related, 0.0, 0.0)
    shared = sum(weight * near[word] for word, weight in context.items() if word in near)
    full = sum(weight * weight for weight in context.values())
    words = source.reach(place, 1)
    covered = sum(weight for word, weight in context.items() if word in words)
    return _Candidate(place, related, min(1.0, shared / full), covered / claim.weights[at])


def _accepted(claim: _Claim, at: int, source: ReadSource, some: _Candidate) -> bool:
    """Whether the same value is the same quantity: the less it says by itself, the more words must be shared."""
    if not claim.around[at]:
        return True
    if claim.small(at) or some.relation == "bare":
        return some.cover >= 0.2
    if claim.english != source.english and claim.quantities[at].dimension != "count":
        return True  # Words of two languages are seldom the same.
    return claim.telling(at) or some.cover > 0


def _rival(claim: _Claim, at: int, source: ReadSource, others: Sequence[_Candidate]) -> _Candidate | None:
    """The other value that the sentence of the claim is about, if there is one beyond much doubt."""
    if claim.negated(at):
        return None
    fitting = [
        some
        for some in others
        if some.fit >= _FITS
        and some.cover >= (_SHORT_COVERS if claim.short(at) else _COVERS)
        and _about_the_same(claim, at, source, some.at)
    ]
    fitting = [some for some in fitting if not _owned(claim, at, source, some)]
    best = max(fitting, key=lambda some: (some.fit, -some.at), default=None)
    if best is None or any(_disagree(source, best, some) for some in fitting):
        return None
    return best


def _disagree(source: ReadSource, best: _Candidate, other: _Candidate) -> bool:
    """Whether another value fits about as well: then the source says several, and none contradicts."""
    one, two = source.items[best.at], source.items[other.at]
    ends = any({one, two} <= set(whole.ends) for whole in source.beside(best.at))
    return other.fit >= _AS_WELL * best.fit and relation(one, two) == "different" and not ends


def _other_unit(claim: _Claim, at: int, source: ReadSource, others: Sequence[_Candidate]) -> _Candidate | None:
    if claim.negated(at):
        return None
    fitting = [
        some
        for some in others
        if some.fit >= _UNIT_FITS and some.cover >= _UNIT_COVERS and not _owned(claim, at, source, some)
    ]
    return max(fitting, key=lambda some: (some.fit, -some.at), default=None)


def _about_the_same(claim: _Claim, at: int, source: ReadSource, place: int) -> bool:
    """Whether names, years and what is counted agree, so that two values are of one thing."""
    one, near = claim.quantities[at], source.around[place]
    if not claim.names(at) <= source.reach(place, _BACK):
        return False
    if one.dimension != "date" and claim.is_change(one) != source.is_change(source.items[place]):
        return False
    shared = {word for word in claim.around[at] if word in near}
    if len(shared) < min(2, len(claim.around[at])):
        return False
    if one.dimension == "date":
        others = [some for some in claim.quantities if some.dimension != "date"]
        there = source.beside(place)
        return not others or any(relation(some, stated) == "equal" for some in others for stated in there)
    years = {year for other in source.beside(place) for year, _, _ in other.days if year > 999}
    if claim.years and years and not claim.years & years:
        return False
    if one.dimension in ("count", "times"):
        counted = claim.counted if claim.short(at) else head(claim.words, one.span)
        if counted is None:
            return not claim.short(at) and any(
                weight >= 0.7 and near.get(word, 0.0) >= 0.5 for word, weight in claim.around[at].items()
            )
        return near.get(counted, 0.0) >= 0.4
    return True


def _owned(claim: _Claim, at: int, source: ReadSource, some: _Candidate) -> bool:
    """Whether the value is stated by another quantity of the claim that fits it as well."""
    for other in range(len(claim.quantities)):
        if other != at:
            mine = _candidate(claim, other, source, some.at)
            if mine.relation in ("equal", "bare") and mine.fit >= 0.9 * some.fit:
                return True
    return False


def _same(claim: _Claim, at: int, source: ReadSource, best: _Candidate) -> QuantityFinding:
    one, other = claim.quantities[at], source.items[best.at]
    here, there = claim.quote(one), source.quote(other)
    place = (SourceSpan(source.position, other.span),)
    if " ".join(here.lower().split()) == " ".join(there.lower().split()) and one.bound in ("", other.bound):
        return QuantityFinding(one, "matched", "", place)
    return QuantityFinding(one, "converted", f"{here} ← {there}", place)


def _contradicted(claim: _Claim, at: int, source: ReadSource, rival: _Candidate) -> QuantityFinding:
    one, other = claim.quantities[at], source.items[rival.at]
    place = (SourceSpan(source.position, other.span),)
    return QuantityFinding(one, "contradicted", f"{claim.quote(one)} ≠ {source.quote(other)}", place)


def _multiple(claim: _Claim, at: int, source: ReadSource, every: Sequence[_Candidate]) -> QuantityFinding | None:
    """A quantity that the source states as a part or multiple of another: "half of the 40"."""
    one = claim.quantities[at]
    for some in every:
        result = source.multiples.get(source.items[some.at].span)
        if result and some.cover >= _COVERS_OPERANDS and relation(one, result) == "equal":
            text = f"{claim.quote(one)} ← {source.quote(result)}"
            return QuantityFinding(one, "derived", text, (SourceSpan(source.position, result.span),))
    return None


def _derived(claim: _Claim, at: int, source: ReadSource, every: Sequence[_Candidate]) -> QuantityFinding | None:
    """The arithmetic that gives the quantity from numbers that stand near each other and near its words."""
    one = claim.quantities[at]
    context = claim.around[at]
    scored: dict[int, float] = {}
    for some in every:
        sentence = source.words.sentence(source.items[some.at].span.start)
        near = source.around[some.at]
        fit = sum(weight for word, weight in context.items() if word in near)
        scored[sentence] = max(scored.get(sentence, 0.0), fit)
    best = sorted((sentence for sentence, fit in scored.items() if fit > 0), key=lambda s: (-scored[s], s))[:3]
    for sentence in best:
        operands = [some for some in source.within(sentence - 1, sentence + 1) if some.kind != "range"][:_OPERANDS]
        words = source.words.content(sentence - 1, sentence + 1)
        if sum(weight for word, weight in context.items() if word in words) < _COVERS_OPERANDS * claim.weights[at]:
            continue
        found = derived(claim.text, one, operands, [source.quote(some) for some in operands])
        if found:
            places = tuple(SourceSpan(source.position, operands[used].span) for used in found.used)
            return QuantityFinding(one, "derived", found.text, places)
    return None
