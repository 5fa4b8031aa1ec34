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
```
```python
```js {1}
~~~
|---|:--:|
# Key findings
Welcome to the library.
Welcome back to Acme!
Sorry to hear about your blender!
Thank you for choosing Acme!
I hope you have a great day!
Anything else I can do for you?
Shall I look for anything else?
In which year did it open?
Hello, when did it open?
¿Cuándo abrió?
Wann wurde der Damm gebaut?
Gibt es eine Gebühr?
Do you know when it opened?
Dear John Smith,
Here is a summary of the Trust's year.
Here is how it works.
Regarding your question about how refunds are paid:
The question is why the market is being moved.
The documents do not say how much the centre cost to build.
The leaflet does not mention any treatment.
The manual does not mention fees or refunds.
The passages provided do not include enough information to answer that question.
Based on the provided documents, I cannot determine when it opened.
However, the text does not explicitly mention a fee.
Based on the context, there is no information about the fee.
I do not have that information.
I don't know when it opened.
There is not enough information to answer the question.
There is no information about fees in the documents.
No information is available.
The provided source documents do not mention it.
I don't know the answer to that.
Here is the answer to your question.
Hallo!
Guten Tag, Frau Müller!
Sehr geehrte Damen und Herren,
Gerne, kein Problem.
Lassen Sie es mich wissen, wenn Sie weitere Fragen haben.
Hier ist eine Zusammenfassung des Berichts:
Leider enthalten die Dokumente keine Angaben dazu.
In den Dokumenten steht nicht, wann der Damm eröffnet wurde.
Der Preis wird in den Quellen nicht genannt.
Das weiß ich leider nicht.
Dazu gibt es keine Informationen.
Wie hoch ist der Damm?
Bonjour, merci pour votre question.
Bien sûr, avec plaisir !
Voici un résumé du rapport :
Les documents ne précisent pas quand le barrage a été inauguré.
Le document ne mentionne aucun prix.
Je ne sais pas.
Le prix n'est pas mentionné dans le texte.
Malheureusement, je n'ai pas d'informations sur ce sujet.
Où se trouve le barrage ?
¡Hola! Gracias por su consulta.
No dude en preguntar si necesita algo más.
Los documentos no indican cuándo se inauguró la presa.
Lamentablemente, no hay información sobre el precio.
El precio no se menciona en el texto.
Olá, obrigado pela sua pergunta.
Os documentos não mencionam o preço.
O preço não é mencionado no texto.
Não sei.
Quando foi inaugurada a barragem?
Buongiorno, grazie mille!
I documenti non indicano quando fu inaugurata la diga.
Il prezzo non è indicato nel testo.
Non lo so.
Qual è il prezzo?
Hallo, bedankt voor uw vraag.
De documenten vermelden de prijs niet.
De documenten zeggen niet wanneer de dam werd geopend.
De prijs wordt niet genoemd in de tekst.
Wanneer werd de dam geopend?
Здравствуйте!
В документах не указано, когда была открыта плотина.
Когда открыли плотину?
文档没有提到价格。
根据所提供的资料，文中没有说明大坝何时启用。
您好，感谢您的提问。
我不知道。
こんにちは。
文書には価格は記載されていません。
わかりません。
شكرا جزيلا!
لا تذكر الوثائق السعر.
नमस्ते!
दस्तावेज़ में कीमत नहीं बताई गई है।
धन्यवाद।
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
The question is when it opened. It opened in May.
The question is when it opened (in May).
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
No information was stolen in the breach.
No information was given to the police.
The document does not provide a refund.
The manuals do not include batteries.
The leaflet does not contain lead.
The report does not give the information desk a name.
### Aspirin cures cancer
```Trump won
# Trump won
## Summary of the dam that collapsed
Did you know that aspirin cures cancer?
Did you know aspirin cures cancer?
Have you heard that the dam collapsed?
Who knew that the dam was built by the Romans?
Isn't it true that aspirin cures cancer?
The dam collapsed in 1901, killing 400 people, didn't it?
It opened in 1958, right?
開館したのは1958年ではないか？
何年も前に開館したのではありませんか？
It opened in 1958 right?
Was he the mayor in 1958, wasn't he?
The dam collapsed?
大坝于1901年倒塌，对吗？
Thank you for choosing Acme whose kettle comes with a lifetime warranty.
Thanks for visiting the dam that collapsed in May.
Sorry to hear that the dam collapsed.
I hope this helps because the dam collapsed and killed hundreds.
I hope this helps the dam collapsed.
Welcome to the library, which was built by the Romans.
Welcome to the library the Romans built.
Let me know if aspirin cured your cancer.
Is there anything else, because the dam collapsed.
Dear John Smith Died!
Hello Trump Won!
Here is a summary that aspirin cures cancer.
Here is the answer which is that aspirin cures cancer.
Here is proof that aspirin cures cancer:
You asked who won the election and Trump won.
The question was who did it the butler did.
The question is when it opened so it opened in May.
Regarding your question about aspirin, it cures cancer:
Regarding your question aspirin cures cancer:
I do not have diabetes.
I don't know John.
I am not sure-footed.
We cannot provide refunds.
We could not find survivors.
There is no information asymmetry in this market.
There is no answer machine.
The museum, founded in 1905, is not mentioned.
The museum founded in 1905 is not mentioned.
The museum that the Romans built is not mentioned.
The documents do not mention the dam which was built by the Romans.
The documents do not mention the dam built in 1958.
The documents do not say when it opened and it closed in June.
The documents do not say when it opened, it closed in June.
The minister says the documents were burnt and it does not say why.
Les ministres ne mentionnent pas le prix.
El ministro no dice la verdad.
The text does not say it is safe – it is deadly.
The text does not say it is safe. It is deadly.
The documents do not say (it opened in May).
I don't know the answer is aspirin.
Here are the steps to cure cancer with aspirin.
Trump said the report does not mention him.
Die Dokumente wurden nicht vernichtet.
Die Dokumente nennen den Preis nicht, aber er beträgt fünf Euro.
Die Texte erwähnen den Damm nicht, der von den Römern gebaut wurde.
Die Quellen nennen 5 Euro nicht.
Das Museum ist montags nicht geöffnet.
Der Preis wird nicht erhöht.
Natürlich ist das Museum geschlossen.
Guten Tag, das Museum ist geschlossen.
Vielen Dank für das Gesetz, das die Steuern senkt.
Der Damm ist alt, oder?
Les ministres ne mentionnent pas le budget.
Le document ne mentionne pas le barrage qui a été construit par les Romains.
Le texte ne précise pas le prix, mais il est élevé.
Le texte ne précise pas le prix : il est de cinq euros.
Le musée n'est pas ouvert le lundi.
Los documentos no mencionan la presa que construyeron los romanos.
El ministro no menciona el impuesto que subió.
Los documentos no fueron destruidos.
El museo no abre los lunes.
O museu não abre às segundas.
Os documentos não mencionam o preço, mas é alto.
Il museo non è aperto il lunedì.
I documenti non sono stati distrutti.
I documenti non menzionano il prezzo, ma è alto.
De documenten zijn niet vernietigd.
De teksten vermelden de dam niet die door de Romeinen werd gebouwd.
De dam is oud, toch?
Плотина не была открыта.
В документах не указана цена, но она высокая.
博物馆星期一不开放。
文档没有提到价格，但价格是五欧元。
博物館は月曜日に開いていません。
文書には価格は記載されていませんが、5ユーロです。
المتحف لا يفتح يوم الاثنين.
संग्रहालय सोमवार को नहीं खुलता है।
दस्तावेज़ में कीमत नहीं बताई गई है लेकिन वह पाँच रुपये है।
""".strip().splitlines()


@pytest.mark.parametrize("sentence", NOTHING_TO_CHECK)
def test_nothing_to_check(sentence: str) -> None:
    assert is_na(sentence, None)


@pytest.mark.parametrize("sentence", ASSERTS_SOMETHING)
def test_asserts_something(sentence: str) -> None:
    assert not is_na(sentence, None)
    assert not is_na(sentence, "When did it open?")


@pytest.mark.parametrize(
    "sentence", ["Yes.", "No!", "yes", "Never.", "Ja.", "Non.", "Sí.", "はい。", "是的。", "**No**"]
)
def test_yes_and_no_are_checked_only_where_the_question_is_known(sentence: str) -> None:
    assert is_na(sentence, None)
    assert not is_na(sentence, "Is it open?")


@pytest.mark.parametrize("sentence", ["Correct.", "Absolutely!", "That's right.", "Of course not.", "It is."])
def test_words_of_agreement_are_checked_only_after_a_question_that_asks_for_them(sentence: str) -> None:
    assert is_na(sentence, None)
    assert is_na(sentence, "When did it open?")
    assert is_na(sentence, "Could you tell me when it opened?")
    assert not is_na(sentence, "Is it open?")


def test_a_number_in_a_refusal_is_a_statement_unless_the_question_has_it() -> None:
    refusal = "The documents do not mention the fees for 2023."
    assert not is_na(refusal, None)
    assert not is_na(refusal, "What were the fees for 2022?")
    assert is_na(refusal, "What were the fees for 2023?")


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
        "thank you for " + "your " * 50_000,
        "the " * 50_000 + "document does not say that a",
        "no information about " + "a " * 50_000,
        "the text does not mention " + "that " * 50_000,
        "is it " + ", is it " * 30_000 + "so",
        "die " * 50_000 + "Dokumente nennen das",
        "hallo, " * 30_000 + "x",
        "le document ne mentionne pas " + "que " * 50_000 + "x",
        "here is a list of " + "a " * 50_000,
    ],
    ids=lambda sentence: sentence[:12],
)
@pytest.mark.timeout(30)  # A rule that is quadratic would take minutes.
def test_rules_take_linear_time(sentence: str) -> None:
    assert not is_na(sentence, None)
