"""The wordings of made pairs: how a fact is said in a source, and how a claim says it again."""

from __future__ import annotations

from dataclasses import dataclass

ENTAILED, NEUTRAL, CONTRADICTED = 0, 1, 2


@dataclass(frozen=True)
class Made:
    """Facts (one sentence each), a true claim, a false one, and what the false one is to the facts."""

    facts: list[str]
    true: str
    false: str
    target: int = CONTRADICTED
    question: str | None = None


def sentence(text: str) -> str:
    """The text with a capital and a full stop."""
    text = text.strip()
    return text[0].upper() + text[1:] + ("" if text[-1] in ".?!" else ".")


@dataclass(frozen=True)
class Attribute:
    """Something that can be said of an entity; {e} is the entity, {v} the value."""

    kind: str
    label: str
    family: str
    says: list[str]
    claims: list[str]
    more: str
    less: str
    question: str


ATTRIBUTES = [
    Attribute(
        "structure",
        "length",
        "length",
        ["{e} is {v} long.", "{e} stretches for {v}.", "With a length of {v}, {e} crosses the valley."],
        ["{e} measures {v} in length.", "The length of {e} is {v}.", "{e} has a length of {v}."],
        "longer",
        "shorter",
        "How long is {e}?",
    ),
    Attribute(
        "structure",
        "height",
        "length",
        ["{e} rises {v} above the ground.", "{e} stands {v} tall."],
        ["{e} is {v} high.", "The height of {e} is {v}.", "{e} reaches a height of {v}."],
        "taller",
        "less tall",
        "How tall is {e}?",
    ),
    Attribute(
        "product",
        "weight",
        "weight",
        ["{e} weighs {v}.", "Without its case, {e} comes in at {v}.", "The weight of {e} is given as {v}."],
        ["{e} has a weight of {v}.", "{e} weighs in at {v}.", "The scales show {v} for {e}."],
        "heavier",
        "lighter",
        "How much does {e} weigh?",
    ),
    Attribute(
        "product",
        "price",
        "money",
        ["{e} costs {v}.", "The shop sells {e} for {v}.", "{e} is priced at {v}."],
        ["Customers pay {v} for {e}.", "The price of {e} is {v}.", "{e} can be bought for {v}."],
        "more expensive",
        "cheaper",
        "What does {e} cost?",
    ),
    Attribute(
        "product",
        "warranty",
        "span",
        ["{e} comes with a warranty of {v}.", "The maker guarantees {e} for {v}."],
        ["The warranty on {e} lasts {v}.", "{e} is covered for {v}."],
        "under warranty for longer",
        "under warranty for less time",
        "How long is the warranty of {e}?",
    ),
    Attribute(
        "product",
        "battery life",
        "time",
        ["The battery of {e} lasts {v}.", "{e} runs for {v} on one charge."],
        ["On a single charge {e} works for {v}.", "{e} has a battery life of {v}."],
        "longer-lasting",
        "shorter-lasting",
        "How long does the battery of {e} last?",
    ),
    Attribute(
        "company",
        "revenue",
        "money",
        ["{e} reported revenue of {v} last year.", "Sales at {e} came to {v}.", "{e} took in {v}."],
        ["Revenue at {e} was {v}.", "{e} had revenue of {v}.", "The sales of {e} amounted to {v}."],
        "larger by revenue",
        "smaller by revenue",
        "What was the revenue of {e}?",
    ),
    Attribute(
        "company",
        "employees",
        "count",
        [
            "{e} employs {v} people.",
            "{e} has a staff of {v}.",
            "Some offices closed, but {v} people still work at {e}.",
        ],
        ["{v} people work for {e}.", "The workforce of {e} numbers {v}.", "{e} has {v} employees."],
        "larger by staff",
        "smaller by staff",
        "How many people work at {e}?",
    ),
    Attribute(
        "company",
        "margin",
        "percent",
        ["{e} earned a margin of {v}.", "The margin at {e} was {v}."],
        ["{e} had a margin of {v}.", "Of its sales, {e} kept {v} as margin."],
        "more profitable",
        "less profitable",
        "What was the margin of {e}?",
    ),
    Attribute(
        "place",
        "population",
        "count",
        [
            "{e} has {v} inhabitants.",
            "About the town itself: {v} people live in {e}.",
            "The census counted {v} residents in {e}.",
        ],
        ["The population of {e} is {v}.", "{e} is home to {v} people.", "{v} people live in {e}."],
        "larger in population",
        "smaller in population",
        "How many people live in {e}?",
    ),
    Attribute(
        "drug",
        "dose",
        "dose",
        ["Adults take {v} of {e} a day.", "The daily dose of {e} is {v}.", "{e} is given at {v} per day."],
        [
            "The recommended daily amount of {e} is {v}.",
            "Adults should take {v} of {e} daily.",
            "Per day, {v} of {e} are taken.",
        ],
        "given in a larger dose",
        "given in a smaller dose",
        "What is the daily dose of {e}?",
    ),
    Attribute(
        "team",
        "points",
        "count",
        ["{e} finished with {v} points.", "{e} ended the season on {v} points."],
        ["{e} collected {v} points.", "The final tally of {e} was {v} points."],
        "ahead in points",
        "behind in points",
        "How many points did {e} get?",
    ),
    Attribute(
        "plan",
        "storage",
        "data",
        ["{e} includes {v} of storage.", "Subscribers to {e} get {v} of space."],
        ["{v} of storage come with {e}.", "{e} offers {v} of storage."],
        "larger in storage",
        "smaller in storage",
        "How much storage does {e} include?",
    ),
    Attribute(
        "plan",
        "notice period",
        "time",
        ["{e} can be cancelled with {v} notice.", "Notice for {e} must be given {v} ahead."],
        ["To leave {e}, customers give {v} notice.", "The notice period of {e} is {v}."],
        "slower to cancel",
        "quicker to cancel",
        "What is the notice period of {e}?",
    ),
    Attribute(
        "server",
        "timeout",
        "time",
        ["{e} has a timeout of {v}.", "Requests to {e} are dropped after {v}.", "The timeout of {e} is set to {v}."],
        ["{e} gives up after {v}.", "A request to {e} times out after {v}."],
        "more patient",
        "less patient",
        "What is the timeout of {e}?",
    ),
    Attribute(
        "server",
        "memory",
        "data",
        ["{e} is limited to {v} of memory.", "{e} may use up to {v} of memory."],
        ["The memory limit of {e} is {v}.", "{e} can take at most {v} of memory."],
        "larger in memory",
        "smaller in memory",
        "How much memory may {e} use?",
    ),
    Attribute(
        "study",
        "participants",
        "count",
        ["{e} enrolled {v} patients.", "{v} patients took part in {e}."],
        ["{e} had {v} participants.", "The number of patients in {e} was {v}."],
        "larger",
        "smaller",
        "How many patients were in {e}?",
    ),
    Attribute(
        "study",
        "response",
        "percent",
        ["In {e}, {v} of the patients improved.", "{e} saw a response rate of {v}."],
        ["{v} of the patients in {e} got better.", "The response rate in {e} was {v}."],
        "more successful",
        "less successful",
        "What was the response rate in {e}?",
    ),
]
#: (kind, verb, passive or converse, the same in other words): what one does to the other.
RELATIONS = [
    ("company", "acquired", "was acquired by", "was the buyer of"),
    ("company", "sued", "was sued by", "took legal action against"),
    ("company", "supplies", "is supplied by", "is a supplier of"),
    ("company", "overtook", "was overtaken by", "moved ahead of"),
    ("company", "lends money to", "borrows money from", "is a lender to"),
    ("team", "beat", "lost to", "defeated"),
    ("place", "exports grain to", "imports grain from", "sells grain to"),
    ("place", "lies north of", "lies south of", "is to the north of"),
    ("person", "hired", "was hired by", "gave a job to"),
    ("person", "reports to", "supervises", "answers to"),
    ("person", "taught", "was taught by", "was a teacher of"),
    ("person", "succeeded", "was succeeded by", "took over from"),
    ("person", "nominated", "was nominated by", "proposed"),
    ("person", "interviewed", "was interviewed by", "asked questions of"),
    ("person", "is older than", "is younger than", "was born before"),
    ("person", "emailed", "received an email from", "sent an email to"),
    ("server", "calls", "is called by", "sends requests to"),
    ("server", "depends on", "is a dependency of", "needs"),
]
#: (said, its complement with the same meaning as the negation, plain negation).
STATES = [
    ("{e} passed the inspection", "{e} failed the inspection", "{e} did not pass the inspection"),
    (
        "the board approved the budget of {e}",
        "the board rejected the budget of {e}",
        "the budget of {e} was not approved by the board",
    ),
    ("{e} is open on Sundays", "{e} is closed on Sundays", "{e} does not open on Sundays"),
    ("{e} met its target", "{e} missed its target", "{e} did not reach its target"),
    ("{e} is included in the contract", "{e} is excluded from the contract", "the contract does not cover {e}"),
    ("{e} was profitable", "{e} made a loss", "{e} was not in profit"),
    ("encryption is enabled for {e}", "encryption is disabled for {e}", "{e} does not use encryption"),
    ("{e} remained in service", "{e} was taken out of service", "{e} did not stay in service"),
    ("{e} kept its old name", "{e} changed its name", "{e} no longer has its old name"),
    ("{e} won its appeal", "{e} lost its appeal", "the appeal of {e} was not successful"),
]
DEEDS = [
    ("open a second office", "opened a second office", "opening a second office"),
    ("raise prices", "raised prices", "raising prices"),
    ("close the old plant", "closed the old plant", "closing the old plant"),
    ("hire more staff", "hired more staff", "hiring more staff"),
    ("launch a new service", "launched a new service", "launching a new service"),
    ("sell the archive", "sold the archive", "selling the archive"),
    ("rebuild the harbour", "rebuilt the harbour", "rebuilding the harbour"),
    ("cut the budget", "cut the budget", "cutting the budget"),
    ("move to a new building", "moved to a new building", "moving to a new building"),
    ("end the partnership", "ended the partnership", "ending the partnership"),
]
CAUSES = [
    "a shortage of parts",
    "heavy rain",
    "a power failure",
    "a software fault",
    "a strike by drivers",
    "rising fuel prices",
    "a late delivery",
    "a wrong label",
    "a leak in the roof",
    "new safety rules",
    "a lack of staff",
    "an expired certificate",
    "strong demand",
    "a broken sensor",
]
EFFECTS = [
    "the delay at {e}",
    "the recall at {e}",
    "the outage at {e}",
    "the price rise at {e}",
    "the closure of {e}",
    "the complaints about {e}",
    "the move of {e}",
    "the loss at {e}",
    "the record sales of {e}",
]
EVENTS = [
    ("{e} was founded", "the founding of {e}"),
    ("{e} opened", "the opening of {e}"),
    ("{e} was sold", "the sale of {e}"),
    ("{e} was renovated", "the renovation of {e}"),
    ("{e} was inspected", "the inspection of {e}"),
    ("{e} was renamed", "the renaming of {e}"),
    ("{e} launched", "the launch of {e}"),
    ("{e} closed", "the closure of {e}"),
]
GROUPS = [
    "machines",
    "samples",
    "students",
    "branches",
    "members",
    "pumps",
    "applications",
    "flights",
    "reports",
    "volunteers",
    "rooms",
    "tests",
]
DONE = [
    "were inspected",
    "passed",
    "were cancelled",
    "arrived on time",
    "were replaced",
    "were approved",
    "failed",
    "voted in favour",
    "were sold",
]
ITEMS = (
    "apples bread cement copper flour glass honey ink jam leather maps nails oil paint paper rice rope salt seeds silk "
    "soap steel sugar tea tiles timber tools wax wheat wool"
).split()
OPINIONS = [
    "the new road will hurt local shops",
    "the figures are too optimistic",
    "the repair was done well",
    "the deadline can be kept",
    "the old system was safer",
    "the fee should be dropped",
    "demand will fall next year",
    "the test was flawed",
    "the merger will succeed",
    "more training is needed",
    "the water is clean",
    "the harbour is too small",
]
