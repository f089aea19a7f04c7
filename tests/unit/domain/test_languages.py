import pytest

from domain.text.languages import Language, language_of, query_tokens
from domain.text.tokens import Analyzer

QUESTIONS: list[tuple[Language, str, list[str]]] = [
    ("en", "How many days of leave do I have?", ["day", "leav"]),
    ("de", "Wie viele Urlaubstage habe ich im Jahr?", ["urlaubstag", "jahr"]),
    ("fr", "Combien de jours de congés ai-je par an ?", ["jour", "cong"]),
    ("es", "¿Dónde se solicitan las vacaciones?", ["solicitan", "vacacion"]),
    ("zh", "出差每天的餐费补贴是多少?", ["出差", "每天", "餐费", "补贴"]),
    ("ja", "VPNに接続できない場合はどうすればいいですか?", ["vpn", "接続", "場合"]),
    ("en", "RUNBOOK-7", ["runbook-7", "runbook", "7"]),
]


@pytest.mark.parametrize(("language", "text", "tokens"), QUESTIONS, ids=lambda each: str(each)[:20])
def test_small_words_of_its_language_are_left_out_of_a_question(
    language: Language, text: str, tokens: list[str]
) -> None:
    assert language_of(text) == language
    left = query_tokens(text, Analyzer())
    assert left == [token for token in Analyzer().tokens(text) if token in left]
    assert left == tokens


@pytest.mark.parametrize("text", ["", "?", "wie was wer", "ですか", "是什么", "🐳", "des Konflikts"])
def test_something_is_left_wherever_there_was_something(text: str) -> None:
    analyzer = Analyzer()
    assert bool(query_tokens(text, analyzer)) == bool(analyzer.tokens(text))


def test_korean_is_told_by_its_script() -> None:
    assert language_of("휴가는 며칠입니까?") == "ko"
