import pytest

from domain.text.languages import OTHER, Language, language_of, query_tokens, told_language
from domain.text.tokens import Analyzer

QUESTIONS: list[tuple[Language, str, list[str]]] = [
    ("en", "How many days of leave do I have?", ["day", "leav"]),
    ("de", "Wie viele Urlaubstage habe ich im Jahr?", ["urlaubstag", "jahr"]),
    ("de", "Was wurde in HUB-1322 gemacht?", ["hub-1322", "hub", "1322", "gemacht"]),
    ("fr", "Combien de jours de congés ai-je par an ?", ["jour", "cong"]),
    ("es", "¿Dónde se solicitan las vacaciones?", ["solicitan", "vacacion"]),
    ("zh", "出差每天的餐费补贴是多少?", ["出差", "每天", "餐费", "补贴"]),
    ("ja", "VPNに接続できない場合はどうすればいいですか?", ["vpn", "接続", "場合"]),
    ("en", "RUNBOOK-7", ["runbook-7", "runbook", "7"]),
    ("en", "E-3315 ??", ["e-3315", "e", "3315"]),
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


@pytest.mark.parametrize(
    ("language", "questions"),
    [
        ("de", ["Danke", "Was kostet das?", "Wer ist für Skerry on call?", "Kündigungsfrist"]),
        ("fr", ["Bonjour", "Congés payés", "Où est le VPN ?", "Quelles vacances before:2001-01-01 ?"]),
        ("es", ["Hola", "año", "¿Quién aprueba la factura?"]),
        ("zh", ["你好", "休假", "VPN 证书多久更新一次？", "KB_AGENT_EMBEDDING_BASE_URL 是什么？"]),
        ("ja", ["経費精算", "有給休暇 日数", "VPNの証明書は?"]),
        (
            "en",
            [
                "VPN",
                "Who is 王芳?",
                "What does 报销 mean?",
                "Müller phone number",
                "Zürich office",
                "git tag release",
                "What is カイゼン?",
            ],
        ),
        ("en", ["Chi approva la fattura?", "Onde está o VPN?", "Wie is de eigenaar van de dienst?"]),
        ("en", ["Hur begär jag ledigt?", "Jak złożyć wniosek o urlop?", "Кто утверждает счёт?"]),
    ],
)
def test_short_and_mixed_questions_have_a_language_and_others_count_as_english(
    language: Language, questions: list[str]
) -> None:
    assert {question: language_of(question) for question in questions} == dict.fromkeys(questions, language)


def test_korean_is_told_by_its_script() -> None:
    assert language_of("휴가는 며칠입니까?") == "ko"


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("The walrus is fed at noon by the keeper.", "en"),
        ("Das Walross wird von der Pflegerin gefüttert.", "de"),
        ("今天天气很好。", "zh"),
        ("Hoeveel vakantiedagen heb ik per jaar?", "nl"),
        ("def main(): return 1", OTHER),
        ("kubectl get pods -n prod", OTHER),
        ("Anna Berg, +49 30 1234", OTHER),
    ],
)
def test_code_and_lists_of_names_tell_no_language(text: str, language: str) -> None:
    assert told_language(text) == language
