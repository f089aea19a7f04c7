from agent.reasoners.offline.expansion import NAMES, expansion_query, expansion_seeds, names
from domain.text.tokens import Analyzer
from tests.fakes.agent import a_passage, an_evidence

ANALYZER = Analyzer()


def found(text: str, *known: str) -> list[str]:
    return names(text, known, ANALYZER)


def test_names_come_by_frequency_and_without_what_is_known() -> None:
    text = "we met Ada Lovelace with Charles Babbage, then Ada Lovelace, in Bath, near Bath, or Bath"
    assert found(text) == ["Bath", "Ada Lovelace", "Charles Babbage"]
    assert found(text, "bath", "ada") == ["Ada Lovelace", "Charles Babbage"]


def test_a_word_that_opens_a_sentence_is_no_name() -> None:
    assert found("Toner is black.\nPrinters need it. Paper too\n- Item\n| Cell") == []
    assert found("the Zoo") == ["Zoo"]


def test_small_words_join_names() -> None:
    assert found("at the University of Bath and Ludwig van Beethoven") == [
        "University of Bath and Ludwig van Beethoven"
    ]


def test_no_more_names_than_a_search_takes() -> None:
    text = ", ".join(f"of {letter}xxx" for letter in "ABCDEFGH")
    assert len(found(text)) == NAMES


def test_a_search_goes_on_from_title_and_names() -> None:
    passage = a_passage("It is fed by Ada Lovelace at noon.", title="Zoo")
    assert expansion_query("Who feeds the walrus?", passage, ANALYZER) == "Who feeds the walrus? Zoo Ada Lovelace"


def test_springboards_are_good_and_new() -> None:
    items = [an_evidence(a_passage(str(n), f"d{n}"), grades={1: n / 10}) for n in (9, 8, 7, 6, 5)]
    assert expansion_seeds(items, {"d8-0"}, 0.6) == [items[0], items[2], items[3]]
    assert expansion_seeds(items, set(), 0.6, count=2) == items[:2]
    assert expansion_seeds(items, set(), 0.95) == []
