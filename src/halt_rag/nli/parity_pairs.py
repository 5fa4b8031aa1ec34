"""The pairs of the parity gate, written for it: each kind catches a way to ask a model wrongly."""

from __future__ import annotations

from halt_rag.nli.scores import Pair

_FERRY = (
    "The ferry between the two islands was founded by fishermen who had grown tired of rowing. In its first year it "
    "carried goats, mail and the occasional doctor. Timetables were painted on a barn door and changed with the tide. "
    "A storm took the first boat, and the second was bought with money that had been collected at weddings. Tourists "
    "came later, first with sketchbooks and then with bicycles. The harbour master kept a diary in which he noted the "
    "wind, the catch and who had argued with whom. When the bridge was planned, half of the islanders signed a "
    "petition for it and the other half one against it, and eleven people signed both. The engineers measured the "
    "current for two winters. They found that the sea bed was soft on the eastern side and that the pillars would have "
    "to stand closer together than they had hoped. The council discussed the cost in a school hall that smelled of "
    "chalk. An old captain said that a bridge does not wait for anyone, and that this was its advantage as well as its "
    "fault. In the end the vote was postponed three times. The school was repaired first, then the road to the quarry. "
    "Children still learn to read the tide from the marks on the barn door, which hangs in the museum. "
)
_END = "The bridge was never built, and the ferry runs to this day."

#: What each pair is there for, and the pair. Kinds: order, negation, unicode, long, plain.
GATE_PAIRS: tuple[tuple[str, Pair], ...] = (
    ("plain", Pair("The museum opens at nine and closes at five on weekdays.", "It is open at noon on Tuesday.")),
    ("plain", Pair("The recipe needs two eggs and a cup of flour.", "The recipe is from Portugal.")),
    ("plain", Pair("The parcel weighs 3.5 kilograms.", "The parcel weighs 5.3 kilograms.")),
    ("order", Pair("A woman is playing the violin on a stage in Vienna.", "A person is making music.")),
    ("order", Pair("A person is making music.", "A woman is playing the violin on a stage in Vienna.")),
    ("order", Pair("All of the lamps in the corridor were replaced last week.", "Some lamps were replaced.")),
    ("order", Pair("Some lamps were replaced.", "All of the lamps in the corridor were replaced last week.")),
    ("order", Pair("The dog chased the cat through the garden.", "The cat chased the dog through the garden.")),
    ("negation", Pair("The committee did not approve the second budget.", "The committee approved the second budget.")),
    ("negation", Pair("The committee approved the second budget.", "The committee did not approve the second budget.")),
    ("negation", Pair("Nobody in the village owned a car before 1950.", "In 1940 nobody there had a car.")),
    ("negation", Pair("The bridge is closed to lorries but not to buses.", "Buses may not cross the bridge.")),
    ("unicode", Pair("Zoë’s café in Łódź sells crème brûlée for 12 €.", "Zoë’s café sells a dessert.")),
    ("unicode", Pair("Die Straße wurde 1987 nach Frau Müller benannt.", "Die Straße heißt nicht nach Frau Müller.")),
    ("unicode", Pair("東京は日本の首都です。", "日本の首都は東京です。")),
    ("unicode", Pair("Status: ✅ passed — 20 °C, Δt < 5 ms 👍🏽", "The check passed.")),
    ("long", Pair(_FERRY + _END, "A bridge between the islands was built.")),
    ("long", Pair(_FERRY + _END, "The ferry still runs.")),
    ("long", Pair(_END + " " + _FERRY, "The bridge was never built.")),
    ("long", Pair(_FERRY + _END, "The barn door with the tide marks hangs in the museum, and children learn from it.")),
)  # fmt: skip


#: So long that no model with a limit of its own reads it whole: it must be refused, or read by a model without limits.
def over_long(max_tokens: int) -> Pair:
    """A pair with more tokens than a model reads: each letter is a token at least."""
    return Pair("a " * (max_tokens + 8), "It is a long text.")
