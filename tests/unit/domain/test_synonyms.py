"""What is another word for what: the product's own groups, an operator's, and German words in English."""

import pytest

from domain.text.german import glossed
from domain.text.synonyms import NO_SYNONYMS, Synonyms

OWN = Synonyms((("rota", "duty plan"), ("pto", "annual leave", "Urlaub")))


def test_synonyms_stand_beside_what_they_mean() -> None:
    assert {"owner", "own"} <= NO_SYNONYMS.widened(["owner"], "english")
    assert "kostet" in NO_SYNONYMS.widened(["preis"], "english")
    assert NO_SYNONYMS.widened(["walrus"], "english") == {"walrus"}


def test_a_phrase_stands_for_its_synonyms_where_all_of_it_is_there() -> None:
    assert "rota" in OWN.widened(["duty", "plan"], "none")
    assert "rota" not in OWN.widened(["duty", "free"], "none")
    assert "sms" in NO_SYNONYMS.widened(["text", "messag"], "english")
    assert {"annual", "leave", "urlaub"} <= OWN.widened(["pto"], "none")


def test_a_question_is_searched_with_an_operators_words_too() -> None:
    assert OWN.rewritten("Who is on the rota?") == "Who is on the rota?, duty plan"
    assert OWN.rewritten("How do I set up laptops?") == ""


def test_a_word_inside_another_is_no_synonym() -> None:
    assert Synonyms((("art", "kunst"),)).rewritten("Who starts the party?") == ""


def test_a_german_question_is_searched_in_english_too() -> None:
    assert NO_SYNONYMS.rewritten("Wie lange dauert die Probezeit?") == "how long take the probation period?"
    assert NO_SYNONYMS.rewritten("How long is probation?") == ""


@pytest.mark.parametrize(
    ("german", "english"),
    [
        ("Wer genehmigt Bestellungen über 25.000 Euro?", "who approve order above 25,000 Euro?"),
        ("Wann startet der Rechnungslauf?", "when start the invoice run?"),  # a compound of two known words
        ("Wo liegt der Ordner von Skerry?", "where liegt the folder of Skerry?"),  # what is unknown stays
        ("Wie oft wird das Backup geprüft?", "how often is the backup check?"),
        ("Was ist HUB-1503?", "what is HUB-1503?"),
    ],
)
def test_german_is_read_word_by_word(german: str, english: str) -> None:
    assert glossed(german) == english
