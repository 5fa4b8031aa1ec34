"""Which sentences hold nothing to check. What is NA passes unchecked, so the second table matters more."""

from __future__ import annotations

import pytest

from halt_rag.verify.na import is_na, lead_in_end

NOTHING_TO_CHECK = """
…
---
🎉🎉
?!
Who opened the dam?
誰が作りましたか？
هل هذا صحيح؟
“Was it open?”
Yes.
No!
OK.
Okay, great.
Sure!
**Sure!**
Right.
Hello!
Hi there,
👋 Hello!
¡Hola!
Dear Ms Smith,
Dear customer,
Hello Anna!
Good morning, everyone.
Thanks!
Thank you so much for your question.
Thanks for reaching out!
Hello, and thank you for your question!
Sorry to hear about your bicycle!
I'm sorry for the confusion.
I apologize for any inconvenience.
You're welcome!
Great question!
Of course, I'd be happy to help.
I hope this helps.
Hope that helps, and feel free to ask.
Let me know if I can help with anything else.
If you have any other questions, please let me know.
Please do not hesitate to contact us.
Have a nice day!
Best regards,
Vielen Dank für Ihre Frage!
Guten Tag,
Merci beaucoup!
Gracias por su pregunta.
# Opening hours
### Summary
Here is a summary of the report.
Here's what I found:
Here are the 3 main points:
Below is an overview.
Sure, here is the summary:
The question is why the bridge was closed.
You asked when the bridge opened.
Regarding your question about refunds:
The documents do not say when it opened.
Unfortunately, the documents do not say when, where, and why it opened.
The provided context does not contain that information.
It does not say.
I don't know.
I'm sorry, but I cannot find that in the text.
I am not sure.
We could not find an answer.
There is no mention of a fee.
The fee is not mentioned.
His name is not given in the passage.
No information about fees was found.
Die Dokumente nennen den Preis nicht.
Le texte ne mentionne pas le prix.
El documento no menciona el precio.
""".strip().splitlines()

ASSERTS_SOMETHING = """
Great Britain left the European Union.
Great Britain.
Right-wing parties won the election.
Hey Jude was written by Paul McCartney.
Hello Kitty was designed in Tokyo.
Dear Evan Hansen won six prizes.
Sure, the capital of France is Berlin.
Okay, so the capital of France is Berlin.
Of course the dam was built by the Romans.
Certainly, the treaty was signed in Rome.
Absolutely no evidence was found.
Sorry, the shop is closed on Mondays.
Unfortunately, the shop is closed on Mondays.
I'm sorry, but the shop is closed.
Thanks to the new law, taxes fell.
Thanks for asking, the dam was built by the Romans.
Hello, the dam was built by the Romans.
Welcome Trust paid for the study.
Let me know when you arrive: the office closes at 5.
Feel free to take it with alcohol.
If you have any of these symptoms, stop taking the medicine.
Have a doctor check your blood pressure.
Good morning shows were cancelled.
Please take two tablets.
#BREAKING: The president resigned.
# 12 people died
Here are the facts: the dam was built by the Romans.
Here is the dam that the Romans built.
Below is the sea.
The following are banned: dogs.
The question was settled by the treaty of Rome.
Regarding your question, the dam was built by the Romans.
Regarding your question about refunds: they are paid within a week.
You asked when it opened, and it opened in May.
The question is when it opened; it opened in May.
The documents do not say when it opened, but it closed in June.
The documents do not mention the dam, which was built in 1958.
The documents do not say when it opened because they were burnt.
It does not contain lead.
It does not cover flood damage.
They do not include batteries.
Breakfast is not provided.
The vaccine is not given to children under two.
His report was not included in the final budget.
Die Texte wurden im Krieg nicht vernichtet.
Nothing was found.
Yes, it opened in May.
No dogs are allowed.
Not yet.
Right of way is granted.
42
½
東京。
Nein, das Museum ist geschlossen.
""".strip().splitlines()


@pytest.mark.parametrize("sentence", NOTHING_TO_CHECK)
def test_nothing_to_check(sentence: str) -> None:
    assert is_na(sentence, None)


@pytest.mark.parametrize("sentence", ASSERTS_SOMETHING)
def test_asserts_something(sentence: str) -> None:
    assert not is_na(sentence, None)
    assert not is_na(sentence, "When did it open?")


@pytest.mark.parametrize("sentence", ["Yes.", "No!", "yes", "Ja.", "Non.", "Sí.", "はい。", "是的。", "**No**"])
def test_yes_and_no_are_checked_only_where_the_question_is_known(sentence: str) -> None:
    assert is_na(sentence, None)
    assert not is_na(sentence, "Is it open?")


@pytest.mark.parametrize(
    ("sentence", "statement"),
    [
        ("Here are the facts: the dam is old.", "the dam is old."),
        ("Regarding your question about refunds: they are paid.", "they are paid."),
        ("The question is when it opened: in May.", "in May."),
        ("Here is a summary:", ""),
        ("The dam is old: it opened in May.", ""),
        ("Here is when it opens: 5:30.", "5:30."),
    ],
)
def test_a_lead_in_ends_at_its_colon(sentence: str, statement: str) -> None:
    end = lead_in_end(sentence)
    assert sentence[end:] == (statement or sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "thanks for " + " " * 100_000 + "x",
        "hello " * 20_000,
        "ok, " * 20_000 + "x",
        "it " * 50_000,
        "is not " * 20_000,
        "not mentioned" + "." * 100_000 + "x",
        "the question is why " + "a, " * 50_000,
        "here is " + ":" * 100_000 + "x",
        "\n" * 100_000 + "x",
        "it " + "a" * 100_000,
    ],
    ids=lambda sentence: sentence[:12],
)
@pytest.mark.timeout(30)  # A rule that is quadratic would take minutes.
def test_rules_take_linear_time(sentence: str) -> None:
    assert not is_na(sentence, None)
