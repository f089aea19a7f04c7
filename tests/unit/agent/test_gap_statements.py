"""Sentences about what the sources leave open, and sentences that only look like one."""

import pytest

from agent.replies.gap_statements import MAX_CHARACTERS, is_gap_statement


@pytest.mark.parametrize(
    "sentence",
    [
        "The passages do not say who approves it.",
        "The provided passages don’t explicitly mention a limit.",
        "Unfortunately, the documents do not specify the amount.",
        "The document about leave does not give any details.",
        "None of the passages mentions a deadline.",
        "Nothing in the sources says so.",
        "The sources contain no information on that.",
        "Who approves it is not stated in the passages.",
        "What was decided there, and whether it concerns all prices, is not answered by the passages.",
        "There is no information about pensions in the documents.",
        "I could not find a deadline in the passages.",
        "- **The passages do not say who approves it.**",
        "Die Quellen sagen nicht, wer das genehmigt.",
        "Die Quellen nennen keine Frist.",
        "Die Passagen enthalten keine Angaben dazu.",
        "Leider geben die Quellen das nicht an.",
        "Wer das genehmigt, steht nicht in den Quellen.",
        "Aus den Passagen geht nicht hervor, wer zuständig ist.",
        "Die Frist wird in den Quellen nicht genannt.",
        "In den Dokumenten wird die Frist nicht genannt.",
        "Eine eigene Durchwahl von Frau Ostermeier nennen die Dokumente nicht.",
        "Eine Frist geben die Quellen nicht an.",
        "I cannot determine how many people work there from the passages.",
        "I'm unable to tell from the passages who approves it.",
        "Based on the provided passages, I can’t say how many people work there.",
        "Based on the passages, it cannot be determined who approves it.",
        "It cannot be determined from the passages who approves it.",
        "How many people work there cannot be determined from the provided passages.",
        "It is not possible to determine the limit from these documents.",
        "Aus den Passagen lässt sich nicht ermitteln, wie viele Personen dort arbeiten.",
        "Wie viele Personen dort arbeiten, lässt sich aus den Passagen nicht entnehmen.",
        "Wie viele dort arbeiten, lässt sich nicht aus den Passagen ableiten.",
        "Ich kann anhand der Passagen nicht sagen, wie viele Personen dort arbeiten.",
        "Anhand der Passagen kann ich die Frage nicht beantworten.",
        "Aus den Quellen kann nicht ermittelt werden, wer das genehmigt.",
        "Wer das genehmigt, kann anhand der Dokumente nicht bestimmt werden.",
    ],
)
def test_what_the_sources_leave_open(sentence: str) -> None:
    assert is_gap_statement(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "Jeder darf freitags zu Hause arbeiten, mehr sagen die Dokumente nicht.",
        "Anna Berg leitet den Vertrieb, ihre Nummer nennen die Dokumente nicht.",
        "Die Buchhaltung gibt die Belege nicht zurück.",
        "Die IT gibt die Dokumente nicht heraus.",
        "Wer kündigt verliert den Bonus, Ausnahmen nennt die Quelle nicht.",
        "The document says that staff must not approve it.",
        "The passages do not say who approves it, but it is the head of Finance.",
        "The passages do not say who approves it, and anybody may do so.",
        "The sources do not say so; approval is free.",
        "The sources do not say who pays, so everybody does.",
        "The sources do not say so (approval is free).",
        "The policy does not cover dental care.",
        "The pages do not load on Mondays.",
        "Staff do not need approval.",
        "Das Dokument sagt, dass man das nicht darf.",
        "In den Unterlagen wird Alkohol nicht erstattet.",
        "You cannot tell from the documents who signed them.",
        "I cannot determine the limit from the passages, but it was 30 euros.",
        "The fee cannot be paid from the page.",
        "Die Frist lässt sich nicht verlängern.",
        "Aus den Unterlagen lässt sich nicht ermitteln, wer zahlt, aber jeder darf es.",
        "Belege lassen sich aus dem Dokument nicht löschen.",
        "Die Quellen nennen keine Frist, sondern jeder darf es jederzeit.",
        "The passages do not say who approves " + "very " * MAX_CHARACTERS + "late claims.",
    ],
)
def test_what_claims_something(sentence: str) -> None:
    assert not is_gap_statement(sentence)
