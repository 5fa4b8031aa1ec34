"""A sentence that calls a statement false is read as the statement denied, where that is sure."""

from __future__ import annotations

import pytest

from halt_rag.verify.denials import without_denial

DENIED = """
It is not true that the dam is old.|The dam is not old.
It is false that Ida Brandt opened the bridge.|Ida Brandt did not open the bridge.
It's not true that the museum opens on Mondays.|The museum does not open on Mondays.
It is untrue that she was born in Oslo.|She was not born in Oslo.
It was false that the treaty was signed in Rome.|The treaty was not signed in Rome.
It is not the case that members can bring guests.|Members cannot bring guests.
It is incorrect that the ship sank near Malta.|The ship did not sink near Malta.
It is a myth that the wall is visible from space.|The wall is not visible from space.
It isn't true that the shop sells bread.|The shop does not sell bread.
It wasn’t the case that the museum opened in 1998.|The museum did not open in 1998.
It is simply false that the drug causes fever.|The drug does not cause fever.
It is not correct that visitors can enter by the gate.|Visitors cannot enter by the gate.
It is not true that he has left the club.|He has not left the club.
It is not true that Karl wrote the book.|Karl did not write the book.
It is a misconception that bats are blind.|Bats are not blind.
That bats are blind is a myth.|Bats are not blind.
It is false that the two dams are old.|The two dams are not old.
It is false that Ida had left.|Ida had not left.
It is false that the works have been stopped.|The works have not been stopped.
It is false that the firm employs 40 people.|The firm does not employ 40 people.
""".strip().splitlines()
READ_AS_IT_IS = """
The dam is old.
It is true that the dam is old.
It is not true.
It is not true that all members voted.
It is not true that every dog barks.
It is false that the dam never opened.
It is false that no one came.
It is false that the dam is old and the bridge is new.
It is false that the bridge built in 1958 collapsed.
It is false that the man who left was ill.
It is not true that it closed because it rained.
It is false that only members vote.
It is false that the price was cut, but it fell.
Is it false that the dam is old?
He said it is false that the dam is old.
The myth of the dam is old.
The Loch Ness monster is a myth.
It is not true that Ida cut the ribbon.
It is not correct that visitors must pay a fee.
It is false that she may vote.
It is false that the river meanders through Bern.
It is false that the dam already opened.
It is false that Ida always pays.
It is not true that he rarely swims.
It is false that a member was ill.
It is false that a few members were ill.
It is false that at least three dams are old.
It is false that two dams are old.
It is false that 40 people are ill.
It is false that nearly all dams are old.
It is false that another dam is old.
It is not true that little is known.
It is false that Ida has a dog.
It is false that members have to pay.
It is not true that he is to pay.
It is untrue that he had the book stolen.
It is false that he must've left.
It is false that Ida's now opened.
It is false that he was also ill.
It is false that the museum was closed until 1990.
It is false that the dam held some water.
The man called Bo is a myth.
The book published in 1920 is a myth.
The claim he was king is a myth.
""".strip().splitlines()


@pytest.mark.parametrize("row", DENIED)
def test_the_statement_is_denied(row: str) -> None:
    sentence, statement = row.split("|")
    assert without_denial(sentence) == statement


@pytest.mark.parametrize("sentence", READ_AS_IT_IS)
def test_what_is_not_sure_is_left(sentence: str) -> None:
    assert without_denial(sentence) is None
