"""How well a model tells supported from altered claims in languages, and across them.

    python -m benchmarks.languages [--cache FILE]

The sentences are the project's own, translated: small numbers that show whether a model reads a language at all, not
how well. Intervals are Wilson's, 95 %.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from benchmarks.cases_accuracy import wilson
from halt_rag.nli.cache import CachedNLI
from halt_rag.nli.registry import find_backend
from halt_rag.nli.scores import Pair
from halt_rag.nli.sqlite_store import SQLiteScoreStore

#: By language: (source, a claim that it supports, the claim altered so that it does not).
TRIPLES = {
    "en": [
        (
            "The library is open from Tuesday to Saturday and is closed on Mondays.",
            "On Mondays the library is not open.",
            "On Mondays the library is open.",
        ),
        (
            "Ida Brandt opened the bridge in 1931 and died four years later.",
            "The bridge was opened by Ida Brandt.",
            "The bridge was opened by Karl Weber.",
        ),
        (
            "Members pay 12 euros a month; students pay half.",
            "Students pay 6 euros a month.",
            "Students pay 8 euros a month.",
        ),
        (
            "The drug lowered blood pressure but had no effect on body weight.",
            "The drug did not change body weight.",
            "The drug changed body weight.",
        ),
        (
            "The factory in Leipzig was sold to a Swedish group after the fire.",
            "After the fire, a Swedish group bought the factory.",
            "Before the fire, a Swedish group bought the factory.",
        ),
        (
            "Parcels over 20 kilograms must be handed in at the main office.",
            "Heavy parcels have to be brought to the main office.",
            "Heavy parcels are collected at home.",
        ),
    ],
    "de": [
        (
            "Die Bibliothek ist von Dienstag bis Samstag geöffnet und montags geschlossen.",
            "Montags ist die Bibliothek nicht geöffnet.",
            "Montags ist die Bibliothek geöffnet.",
        ),
        (
            "Ida Brandt eröffnete die Brücke 1931 und starb vier Jahre später.",
            "Die Brücke wurde von Ida Brandt eröffnet.",
            "Die Brücke wurde von Karl Weber eröffnet.",
        ),
        (
            "Mitglieder zahlen 12 Euro im Monat; Studierende zahlen die Hälfte.",
            "Studierende zahlen 6 Euro im Monat.",
            "Studierende zahlen 8 Euro im Monat.",
        ),
        (
            "Das Mittel senkte den Blutdruck, wirkte aber nicht auf das Körpergewicht.",
            "Das Mittel veränderte das Körpergewicht nicht.",
            "Das Mittel veränderte das Körpergewicht.",
        ),
        (
            "Die Fabrik in Leipzig wurde nach dem Brand an einen schwedischen Konzern verkauft.",
            "Nach dem Brand kaufte ein schwedischer Konzern die Fabrik.",
            "Vor dem Brand kaufte ein schwedischer Konzern die Fabrik.",
        ),
        (
            "Pakete über 20 Kilogramm müssen in der Hauptstelle abgegeben werden.",
            "Schwere Pakete müssen zur Hauptstelle gebracht werden.",
            "Schwere Pakete werden zu Hause abgeholt.",
        ),
    ],
    "fr": [
        (
            "La bibliothèque est ouverte du mardi au samedi et fermée le lundi.",
            "Le lundi, la bibliothèque n'est pas ouverte.",
            "Le lundi, la bibliothèque est ouverte.",
        ),
        (
            "Ida Brandt inaugura le pont en 1931 et mourut quatre ans plus tard.",
            "Le pont a été inauguré par Ida Brandt.",
            "Le pont a été inauguré par Karl Weber.",
        ),
        (
            "Les membres paient 12 euros par mois ; les étudiants paient la moitié.",
            "Les étudiants paient 6 euros par mois.",
            "Les étudiants paient 8 euros par mois.",
        ),
        (
            "Le médicament a fait baisser la tension mais n'a eu aucun effet sur le poids.",
            "Le médicament n'a pas modifié le poids.",
            "Le médicament a modifié le poids.",
        ),
        (
            "L'usine de Leipzig a été vendue à un groupe suédois après l'incendie.",
            "Après l'incendie, un groupe suédois a acheté l'usine.",
            "Avant l'incendie, un groupe suédois a acheté l'usine.",
        ),
        (
            "Les colis de plus de 20 kilos doivent être déposés au bureau principal.",
            "Les colis lourds doivent être apportés au bureau principal.",
            "Les colis lourds sont enlevés à domicile.",
        ),
    ],
    "es": [
        (
            "La biblioteca abre de martes a sábado y cierra los lunes.",
            "Los lunes la biblioteca no está abierta.",
            "Los lunes la biblioteca está abierta.",
        ),
        (
            "Ida Brandt inauguró el puente en 1931 y murió cuatro años después.",
            "El puente fue inaugurado por Ida Brandt.",
            "El puente fue inaugurado por Karl Weber.",
        ),
        (
            "Los socios pagan 12 euros al mes; los estudiantes pagan la mitad.",
            "Los estudiantes pagan 6 euros al mes.",
            "Los estudiantes pagan 8 euros al mes.",
        ),
        (
            "El fármaco bajó la tensión, pero no tuvo efecto sobre el peso.",
            "El fármaco no cambió el peso.",
            "El fármaco cambió el peso.",
        ),
        (
            "La fábrica de Leipzig fue vendida a un grupo sueco después del incendio.",
            "Después del incendio, un grupo sueco compró la fábrica.",
            "Antes del incendio, un grupo sueco compró la fábrica.",
        ),
        (
            "Los paquetes de más de 20 kilos deben entregarse en la oficina principal.",
            "Los paquetes pesados hay que llevarlos a la oficina principal.",
            "Los paquetes pesados se recogen a domicilio.",
        ),
    ],
    "it": [
        (
            "La biblioteca è aperta dal martedì al sabato e chiusa il lunedì.",
            "Il lunedì la biblioteca non è aperta.",
            "Il lunedì la biblioteca è aperta.",
        ),
        (
            "Ida Brandt inaugurò il ponte nel 1931 e morì quattro anni dopo.",
            "Il ponte fu inaugurato da Ida Brandt.",
            "Il ponte fu inaugurato da Karl Weber.",
        ),
        (
            "I soci pagano 12 euro al mese; gli studenti pagano la metà.",
            "Gli studenti pagano 6 euro al mese.",
            "Gli studenti pagano 8 euro al mese.",
        ),
        (
            "Il farmaco ha abbassato la pressione ma non ha avuto effetto sul peso.",
            "Il farmaco non ha cambiato il peso.",
            "Il farmaco ha cambiato il peso.",
        ),
        (
            "La fabbrica di Lipsia fu venduta a un gruppo svedese dopo l'incendio.",
            "Dopo l'incendio un gruppo svedese comprò la fabbrica.",
            "Prima dell'incendio un gruppo svedese comprò la fabbrica.",
        ),
        (
            "I pacchi oltre i 20 chili vanno consegnati all'ufficio principale.",
            "I pacchi pesanti vanno portati all'ufficio principale.",
            "I pacchi pesanti vengono ritirati a casa.",
        ),
    ],
    "pt": [
        (
            "A biblioteca abre de terça a sábado e fecha às segundas-feiras.",
            "Às segundas-feiras a biblioteca não está aberta.",
            "Às segundas-feiras a biblioteca está aberta.",
        ),
        (
            "Ida Brandt inaugurou a ponte em 1931 e morreu quatro anos depois.",
            "A ponte foi inaugurada por Ida Brandt.",
            "A ponte foi inaugurada por Karl Weber.",
        ),
        (
            "Os sócios pagam 12 euros por mês; os estudantes pagam metade.",
            "Os estudantes pagam 6 euros por mês.",
            "Os estudantes pagam 8 euros por mês.",
        ),
        (
            "O remédio baixou a pressão, mas não teve efeito sobre o peso.",
            "O remédio não mudou o peso.",
            "O remédio mudou o peso.",
        ),
        (
            "A fábrica de Leipzig foi vendida a um grupo sueco depois do incêndio.",
            "Depois do incêndio, um grupo sueco comprou a fábrica.",
            "Antes do incêndio, um grupo sueco comprou a fábrica.",
        ),
        (
            "As encomendas com mais de 20 quilos devem ser entregues na sede.",
            "As encomendas pesadas têm de ser levadas à sede.",
            "As encomendas pesadas são recolhidas em casa.",
        ),
    ],
    "nl": [
        (
            "De bibliotheek is van dinsdag tot zaterdag open en op maandag gesloten.",
            "Op maandag is de bibliotheek niet open.",
            "Op maandag is de bibliotheek open.",
        ),
        (
            "Ida Brandt opende de brug in 1931 en stierf vier jaar later.",
            "De brug werd geopend door Ida Brandt.",
            "De brug werd geopend door Karl Weber.",
        ),
        (
            "Leden betalen 12 euro per maand; studenten betalen de helft.",
            "Studenten betalen 6 euro per maand.",
            "Studenten betalen 8 euro per maand.",
        ),
        (
            "Het middel verlaagde de bloeddruk, maar had geen effect op het gewicht.",
            "Het middel veranderde het gewicht niet.",
            "Het middel veranderde het gewicht.",
        ),
        (
            "De fabriek in Leipzig werd na de brand aan een Zweeds concern verkocht.",
            "Na de brand kocht een Zweeds concern de fabriek.",
            "Voor de brand kocht een Zweeds concern de fabriek.",
        ),
        (
            "Pakketten boven de 20 kilo moeten bij het hoofdkantoor worden afgegeven.",
            "Zware pakketten moeten naar het hoofdkantoor worden gebracht.",
            "Zware pakketten worden thuis opgehaald.",
        ),
    ],
}


def pairs_of(source_language: str, claim_language: str) -> list[Pair]:
    """The supported pairs, then the altered ones in the same order."""
    rows = list(zip(TRIPLES[source_language], TRIPLES[claim_language], strict=True))
    return [Pair(s[0], c[1]) for s, c in rows] + [Pair(s[0], c[2]) for s, c in rows]


def main() -> None:
    """Measures and prints a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--backend", default="embedded", help="which NLI backend")
    parser.add_argument("--cache", type=Path, help="keep scores in this SQLite file")
    args = parser.parse_args()
    backend = find_backend(args.backend)()
    if args.cache:
        backend = CachedNLI(backend, SQLiteScoreStore(args.cache))
    print(f"Model {backend.model_id} {backend.revision}; a claim counts as supported from P(entailment) 0.5 on.\n")
    print("| source | claim | right (95 % interval) | supported called supported | altered called supported | twins |")
    print("|---|---|---|---|---|---|")
    for source, claim in [(tag, tag) for tag in TRIPLES] + [("en", tag) for tag in TRIPLES if tag != "en"]:
        entailment = backend.score(pairs_of(source, claim)).entailment
        half = len(entailment) // 2
        kept, altered = int((entailment[:half] >= 0.5).sum()), int((entailment[half:] >= 0.5).sum())
        right, total = kept + half - altered, len(entailment)
        low, high = wilson(right, total)
        ordered = int((entailment[:half] > entailment[half:]).sum())
        print(
            f"| {source} | {claim} | {right}/{total} = {right / total:.2f} ({low:.2f}–{high:.2f}) | {kept}/{half} "
            f"| {altered}/{half} | {ordered}/{half} in order |"
        )


if __name__ == "__main__":
    main()
