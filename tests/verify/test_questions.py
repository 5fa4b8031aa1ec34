"""Questions and their short answers as statements. A wrong statement is worse than none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from halt_rag.verify.questions import asks_yes_or_no, says_yes_or_no, statement_of
from tests.verify.support import texts

STATED = """
Who opened the bridge?|Ida Brandt|Ida Brandt opened the bridge.
Who was elected in 1990?|Tom Smith|Tom Smith was elected in 1990.
Who is the CEO of Acme?|Anna Lee|The CEO of Acme is Anna Lee.
Who did she marry?|Pierre Curie|She married Pierre Curie.
Which city hosted the fair?|Delhi|Delhi hosted the fair.
Which country is the largest producer of coffee?|Brazil|Brazil is the largest producer of coffee.
Which prize did she win?|The Nobel Prize|She won the Nobel Prize.
What is the capital of France?|**Paris**.|The capital of France is Paris.
What was the name of the tribe that held the rock?|Votadini|The name of the tribe that held the rock was Votadini.
What is X used for?|cleaning glass|X is used for cleaning glass.
What did Alfred Nobel invent in 1867?|Dynamite|Alfred Nobel invented Dynamite in 1867.
What did he die of?|cancer|He died of cancer.
What can the drug treat?|malaria|The drug can treat malaria.
What has the firm acquired?|Acme|The firm has acquired Acme.
In which city was Marie Curie born?|Warsaw.|Marie Curie was born in Warsaw.
In what year did the dam open?|1958|The dam opened in 1958.
What year did the dam open?|In 1958.|The dam opened in 1958.
What year was the film released in?|2009|The film was released in 2009.
When did the dam open?|May 3, 1958|The dam opened on May 3, 1958.
When did the dam open?|The answer is 1958.|The dam opened in 1958.
When is the deadline?|May 3|The deadline is May 3.
Where is the museum?|Leipzig|The museum is in Leipzig.
Where was she born?|in Warsaw|She was born in Warsaw.
How many people does Acme employ?|300|Acme employs 300 people.
How many people work there?|about 300|About 300 people work there.
How many rooms are there in the hotel?|40|There are 40 rooms in the hotel.
How long is the bridge?|2 km|The bridge is 2 km long.
How much does the ticket cost?|$5|The ticket costs $5.
How long does delivery take?|three days|Delivery takes three days.
As of May 2019, how many users did Acme have?|2 million|As of May 2019, Acme had 2 million users.
Is the museum open on Mondays?|Yes.|The museum is open on Mondays.
Is the museum open on Mondays?|No.|The museum is not open on Mondays.
Does the policy cover flood damage?|No|The policy does not cover flood damage.
Did Ida Brandt open the bridge?|Correct.|Ida Brandt opened the bridge.
Did the Romans build the dam?|Not at all!|The Romans did not build the dam.
Is there a fee for returns?|No.|There is no fee for returns.
Was the bridge ever closed?|Yes.|The bridge was closed.
Does the shop sell any bread?|Yes.|The shop sells bread.
Does the shop sell any bread?|No.|The shop does not sell any bread.
Has the treaty been signed?|Yes|The treaty has been signed.
Can I return it after 30 days?|No, you cannot.|I cannot return it after 30 days.
Is aspirin a blood thinner?|It is.|Aspirin is a blood thinner.
Are Rome and Milan in Italy?|Yes|Rome and Milan are in Italy.
Is Rome the capital of Spain?|No|Rome is not the capital of Spain.
Is Rome not the capital of Italy?|No.|Rome is not the capital of Italy.
Isn't Rome the capital of Italy?|Yes.|Rome is the capital of Italy.
Isn’t Rome the capital of Italy?|No.|Rome is not the capital of Italy.
Can't I return it?|No|I cannot return it.
Didn't Ida Brandt open the bridge?|No, she didn't.|Ida Brandt did not open the bridge.
Isn't there a fee?|No.|There is no fee.
Rome is the capital of Italy, isn't it?|No.|Rome is not the capital of Italy.
Rome is the capital of Italy, isn't it?|Correct.|Rome is the capital of Italy.
In which year did the dam not open?|1958|The dam did not open in 1958.
Did nobody open the dam?|Yes.|Nobody opened the dam.
""".strip().splitlines()
NOT_STATED = """
Why did it close?|lack of money
How does it work?|with steam
When?|1958
What happened in 1990?|The war ended
What is it?|a dam
Is it red or blue?|Yes
Is Rome not the capital of Italy?|Yes.
Isn't Rome the capital of Italy?|Correct.
Rome isn't the capital of Italy, is it?|No.
Rome opened the dam, didn't it?|No.
Has the dam never been closed?|No.
Is there no fee?|No.
Did nobody open the dam?|No.
Did all members vote?|No.
Were some members elected?|No.
Did Anna and Ida vote?|No.
Did the dam ever open?|No.
Did Ida Brandt formally open the bridge?|Yes.
Is the museum not only open on Mondays?|No.
Is it old?|In May
When did it open?|Yes.
Which team won and who scored?|Spain
What color is the sky?|blue
What did they do?|They left
Which of the two is older?|Rome
When did the dam open?|It was opened in May
What did the flagship store sell?|shoes
I bought it in May. When did it open?|June
Wann wurde der Damm gebaut?|1958
The dam opened in May.|1958
""".strip().splitlines()


@pytest.mark.parametrize("row", STATED)
def test_question_and_answer_as_a_statement(row: str) -> None:
    question, answer, statement = row.split("|")
    assert statement_of(question, answer) == statement


@pytest.mark.parametrize("row", NOT_STATED)
def test_what_no_rule_is_sure_of(row: str) -> None:
    question, answer = row.split("|")
    assert statement_of(question, answer) is None


@pytest.mark.parametrize(
    ("answer", "says"),
    [("Yes.", True), ("ABSOLUTELY!", True), ("That’s right.", True), ("It does.", True), ("Of course not.", False),
     ("No, it isn't.", False), ("Not true.", False), ("It opened in May.", None), ("", None), ("Ja.", None)],
)  # fmt: skip
def test_yes_and_no(answer: str, says: bool | None) -> None:
    assert says_yes_or_no(answer) is says


@pytest.mark.parametrize(
    ("question", "asks"),
    [("Is it old?", True), ("Does the dam leak?", True), ("Can pets come?", True), ("Could you explain it?", False),
     ("When did it open?", False), ("Is it old.", False), ("", False)],
)  # fmt: skip
def test_questions_that_yes_or_no_answers(question: str, asks: bool) -> None:
    assert asks_yes_or_no(question) is asks


_WORDS = st.lists(st.sampled_from("Who what did is the dam open of in How many ? Acme and X,".split())).map(" ".join)


@given(texts | _WORDS, texts)
def test_a_statement_holds_the_answer_or_is_its_yes_or_no(question: str, answer: str) -> None:
    statement = statement_of(question, answer)
    if statement is not None:
        assert statement.endswith(".")
        assert (
            says_yes_or_no(answer) is not None or answer.strip(' .!*_`"“”\n\t').casefold()[1:] in statement.casefold()
        )


@pytest.mark.timeout(30)  # Quadratic time would take minutes.
def test_long_questions_take_linear_time() -> None:
    assert statement_of("is " * 100_000 + "?", "Yes.") is None
    assert statement_of("In " + "a" * 100_000 + ", what?", "1958") is None
