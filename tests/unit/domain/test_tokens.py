import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from domain.text.tokens import ENGLISH_STOP_WORDS, IT, MAX_TOKEN, OLDEST, REVISION, Analyzer, Stemming, analyzer_named

ENGLISH, PLAIN = Analyzer("english"), Analyzer("none")

IDENTIFIERS = [
    ("KB_AGENT_DATA_DIR", "kb_agent_data_dir kb agent data dir"),
    ("settings.py", "settings.py settings py"),
    ("PROJ-123", "proj-123 proj 123"),
    ("getUserName", "getusername get user name"),
    ("XMLHttpRequest", "xmlhttprequest xml http request"),
    ("HTTPServer", "httpserver http server"),
    ("sha256", "sha256"),
    ("v1.2.3", "v1.2.3 v1 2 3"),
    ("docs.python.org", "docs.python.org docs python org"),
    ("e-mail", "e-mail e mail"),
    ("--max-old-space", "max-old-space max old space"),
    ("__init__", "init"),
    ("a_b__c", "a_b__c a b c"),
    ("user_id.toString", "user_id.tostring user id to string"),
]
NUMBERS = [("10.0.0.1", "10.0.0.1"), ("3.14", "3.14"), ("2024-01-02", "2024-01-02"), ("404", "404"), ("１２３", "123")]
WORDS = [
    ("naïve CAFÉ cafe\u0301", "naive cafe cafe"),
    ("Straße STRASSE", "strasse strasse"),
    ("ﬁle", "file"),
    ("İstanbul ISTANBUL", "istanbul istanbul"),
    ("x\u0301y", "xy"),
    ("Anna's Anna’s teams'", "anna anna teams"),
    ("O'Brien don't l'été", "o brien don t l ete"),
    ("привет за\u0301мок Ελλάδα", "привет замок ελλάδα"),
    ("किताब שָׁלוֹם", "किताब שָׁלוֹם"),
    ("PDFs APIs userIDs", "pdfs apis userids user ids"),
]
EAST = [
    ("如何重置密码", "如何 重置 密码"),
    ("データベース", "デー ータ タベ ベー ース"),
    ("데이터", "데이 이터"),
    ("ภาษา", "ภา าษ ษา"),
    ("日本の車", "日本 本の の車"),
    ("の", "の"),
    ("VPN密码reset", "vpn 密码 reset"),
    ("Kubernetes集群v1.29", "kubernetes 集群 v1.29 v1 29"),
]
NOTHING = ["", "   ", "... --- !!!", "'", "_", "🎉 👩‍👩‍👧", "\u0301", "\ud800", "\x00"]


@pytest.mark.parametrize(("written", "tokens"), IDENTIFIERS + NUMBERS + WORDS + EAST, ids=lambda value: value[:20])
def test_tokens(written: str, tokens: str) -> None:
    assert PLAIN.tokens(written) == tokens.split()


@pytest.mark.parametrize("written", NOTHING, ids=ascii)
def test_no_tokens(written: str) -> None:
    assert PLAIN.tokens(written) == []


@pytest.mark.parametrize(
    ("asked", "written"),
    [
        ("getusername", "getUserName"),
        ("iphone", "iPhone"),
        ("onedrive", "OneDrive"),
        ("GETUSERNAME", "getUserName"),
        ("agent", "KB_AGENT_DATA_DIR"),
        ("kb_agent_data_dir", "KB_AGENT_DATA_DIR"),
        ("proj-123", "PROJ-123"),
        ("settings", "settings.py"),
        ("vacations", "the vacation policy"),
        ("resetting", "how to reset it"),
        ("URL", "the URLs"),
        ("Anna", "Anna's laptop"),
        ("cafe", "the Café"),
        ("istanbul", "the office in İstanbul"),
        ("密码", "如何重置密码"),
        ("ベース", "データベース"),
    ],
)
def test_who_asks_finds_what_is_written_otherwise(asked: str, written: str) -> None:
    assert set(ENGLISH.tokens(asked)) & set(ENGLISH.tokens(written))


def test_stop_words_are_dropped_in_english_alone() -> None:
    assert ENGLISH.tokens("What is the VPN, and who can use it?") == ["vpn", "use"]
    assert PLAIN.tokens("What is the VPN?") == ["what", "is", "the", "vpn"]
    assert not set(ENGLISH.tokens(" ".join(ENGLISH_STOP_WORDS)))
    assert ENGLISH.tokens("it_is the-it") == ["it_is", "the-it"]


@pytest.mark.parametrize(
    ("written", "tokens"),
    [
        ("How do I reach IT?", "reach IT"),
        ("it is IT's", "IT"),
        ("The IT-Desk", "it-desk IT desk"),
        ("IT", "IT"),
        ("## IT\nis open", "IT open"),
        ("HOW IT WORKS", "work"),
        ("| IT | 4711 |", "IT 4711"),
        ("IT & HR", "IT hr"),
        ("1. IT", "1 IT"),
        ("how it works", "work"),
        ("What about it\nHOW IT WORKS\nAsk IT", "work ask IT"),
    ],
)
def test_the_department_is_no_small_word(written: str, tokens: str) -> None:
    assert ENGLISH.tokens(written) == tokens.split()
    assert IT not in Analyzer("english", OLDEST).tokens(written)


def test_an_analyzer_is_known_by_its_name_from_the_oldest_revision_on() -> None:
    for stemming in ("english", "none"):
        for revision in range(OLDEST, REVISION + 1):
            name = Analyzer(stemming, revision).name
            found = analyzer_named(name, stemming)
            assert found is not None
            assert found.name == name
        assert analyzer_named(Analyzer(stemming, OLDEST - 1).name, stemming) is None


def test_stemming_is_english_alone() -> None:
    assert ENGLISH.tokens("Vacations vacation VACATIONING") == ["vacat"] * 3
    assert PLAIN.tokens("Vacations vacation") == ["vacations", "vacation"]


def test_long_runs_are_cut_where_a_word_ends_to_count() -> None:
    run = "x" * (MAX_TOKEN + 1)
    assert PLAIN.tokens(run) == [run[:MAX_TOKEN]]
    assert PLAIN.tokens(f"{run}y") == PLAIN.tokens(f"{run}z")
    assert {len(token) for token in PLAIN.tokens(f"{run}_{run}")} == {MAX_TOKEN}


def test_analyzers_are_told_apart_by_their_names() -> None:
    assert ENGLISH.name != PLAIN.name
    assert ENGLISH.name == Analyzer("english").name


LETTERS = st.sampled_from("aZ9éßİıſǅ'’.-_ 的の데ภק\u0301\u200d\u05b0Ⅷﬁ\n☃𠮷\ud800")
TEXTS = st.text(max_size=40) | st.text(LETTERS, max_size=30)
ANALYZERS = st.sampled_from([ENGLISH, PLAIN])


@given(
    TEXTS | st.builds(lambda part, times: part * times, st.text(min_size=1, max_size=4), st.integers(20, 200)),
    ANALYZERS,
)
@example("的" * 300, PLAIN)
@example("𠀀" * 65, PLAIN)
@example("중" * 300, PLAIN)
def test_any_text_has_tokens_of_one_to_64_characters(text: str, analyzer: Analyzer) -> None:
    assert all(1 <= len(token) <= MAX_TOKEN for token in analyzer.tokens(text))


@given(TEXTS, TEXTS, ANALYZERS)
def test_a_line_has_the_same_tokens_in_a_question_and_in_a_text(first: str, second: str, analyzer: Analyzer) -> None:
    assert analyzer.tokens(f"{first}\n{second}") == analyzer.tokens(first) + analyzer.tokens(second)


@given(st.text(st.sampled_from("abcdeéüÀÇñ zßø"), max_size=30), st.sampled_from(["english", "none"]))
def test_words_are_found_in_capitals_and_without(text: str, stemming: Stemming) -> None:
    analyzer = Analyzer(stemming)
    assert analyzer.tokens(text.upper()) == analyzer.tokens(text) == analyzer.tokens(text.title())


@given(TEXTS)
def test_tokens_hold_no_blanks_and_no_capitals(text: str) -> None:
    for token in PLAIN.tokens(text):
        assert token == "".join(token.split())
        assert token == token.casefold()
