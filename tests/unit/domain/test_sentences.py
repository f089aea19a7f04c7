import time

import pytest

from domain.text.sentences import sentences


def split(text: str) -> list[str]:
    return [text[start:end] for start, end in sentences(text)]


LANGUAGES = [
    (["It works.", "Does it?", "It does!"], " "),
    (["Это работает.", "Правда?", "Да!"], " "),
    (["今天天气很好。", "我们去公园吧！", "真的吗？", "好的。"], ""),
    (["本当ですか？", "はい。", "「大丈夫です。」", "次へ"], ""),
    (["真的吗?", "我不信!", "走吧"], ""),
    (["هل تعمل؟", "نعم.", "حسنا"], " "),
    (["کیا یہ درست ہے؟", "جی ہاں۔", "شکریہ"], " "),
    (["यह एक वाक्य है।", "यह दूसरा है।", "क्या?"], " "),
    (["¿Funciona?", "¡Claro!", "Sí."], " "),
    (["Das geht.", "Über alles.", "Ölfilter wechseln."], " "),
    (["Εντάξει.", "Ναι."], " "),
]


@pytest.mark.parametrize(("parts", "between"), LANGUAGES, ids=lambda value: value[0] if value[:1] else "joined")
def test_sentences_end_at_the_stops_of_each_script(parts: list[str], between: str) -> None:
    assert split(between.join(parts)) == parts


@pytest.mark.parametrize(
    "sentence",
    [
        "Dr. Smith met Prof. Jones and Mrs. Lee.",
        "Use a tool, e.g. Docker, i.e. a container.",
        "It takes approx. 5 minutes vs. 10 before.",
        "See No. 5, Fig. 3 and Sec. 2 of vol. 7.",
        "Call J. R. R. Tolkien or J.R.R. Tolkien.",
        "The U.S. Army and the E.U. Commission agreed.",
        "Pi is 3.14, the price $2.50, the version v1.2.3 or 2.5.",
        "Open settings.py, then docs/index.md and .env next.",
        "Visit https://example.com/a.b?c=d.e!f and www.example.org today.",
        "Write to jane.doe@example.com by Jan. 5 at 10.30.",
        "Wait... what… happened.",
        "Run `git add . ; echo Done. Now` and wait.",
        '"Really?" she asked.',
        "He (cf. the dept. there) left.",
        "Smith et al. (2019) found it.",
        "Add salt, pepper, etc. to it.",
        "Er kam z.B. am 3. Mai, d. h. gestern, ca. 5 Uhr.",
        "Team A hat in KW 49 (30.11.–04.12.) Spätschicht.",
        "Ab der 11. Stunde und im 3. Lehrjahr gilt etwas anderes.",
        "Это т.е. тест, см. рис. 5, А. С. Пушкин.",
        "Roe v. Wade.",
        "彼は「はい。」と答えた。",
        "Only brackets (and so on.) here",
    ],
)
def test_a_stop_that_ends_nothing_is_passed_over(sentence: str) -> None:
    assert split(sentence) == [sentence]


@pytest.mark.parametrize(
    "parts",
    [
        ["He said no.", "Then he left."],
        ["We sell apples, pears, etc.", "Prices vary."],
        ["There is no plan B.", "The rest is luck."],
        ["It runs on version 2.5.", "Upgrade soon."],
        ["Edit settings.py.", "Restart it."],
        ["See https://example.com/a.b.", "Then return."],
        ['She said "Go."', "Then she left."],
        ["(It was late.)", "We left."],
        ["**Note.**", "Mind the gap."],
        ["As shown.[1][2]", "Others disagree."],
        ["What?!", "No way..."],
        ["Wait…", "Now."],
        ["Конец и т.д.", "Потом ещё."],
        ["run the script.", "then look at the log."],
        ["ok?", "yes"],
        ["Stop the service.", "`systemctl` does it."],
        ["1. Open it.", "2. Close it."],
    ],
    ids=lambda parts: parts[0],
)
def test_a_stop_between_two_sentences_is_seen(parts: list[str]) -> None:
    assert split(" ".join(parts)) == parts


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("The quick brown\nfox jumps. Over\nthe dog.", ["The quick brown\nfox jumps.", "Over\nthe dog."]),
        ("We deploy with\nKubernetes every night.", ["We deploy with\nKubernetes every night."]),
        ("Introduction\n\nIt began.", ["Introduction", "It began."]),
        ("# Setup\nRun it.", ["# Setup", "Run it."]),
        ("Setup\n=====\nRun it.", ["Setup\n=====", "Run it."]),
        ("Buy:\n- milk\n- bread. Fresh.\n  Not old", ["Buy:", "- milk", "- bread.", "Fresh.", "Not old"]),
        ("1. Open\n2) Close\n(a) Lock", ["1. Open", "2) Close", "(a) Lock"]),
        ("* one\n  goes on\n* two", ["* one\n  goes on", "* two"]),
        ("| a | b |\n|---|---|\n| 1. | 2 |", ["| a | b |", "|---|---|", "| 1. | 2 |"]),
        ("A line\r\nends so.\r\n\r\nNext", ["A line\r\nends so.", "Next"]),
        (
            "Installation\nThe product is installed by the administrator, who runs one command on the server.",
            [
                "Installation",
                "The product is installed by the administrator, who runs one command on the server.",
            ],
        ),
    ],
)
def test_lines(text: str, parts: list[str]) -> None:
    assert split(text) == parts


@pytest.mark.parametrize("text", ["", " ", "\n\n \t\n", "\u3000"])
def test_blank_text_has_no_sentence(text: str) -> None:
    assert sentences(text) == []


HOSTILE = ["x", " ", "\n", ".", ". ", "a.", "A. ", "a. ", "。", "。a", "…", "`", "`a", "(", ".)", ".[1", "[1]", "「"]
HOSTILE += ["。」と", "- ", "- a\n", "1. ", "|\n", "# x\n", "=\n", "Ab. Cd! ", "X\n" + "y" * 70 + "\n", " \n", "e.g."]


def seconds(text: str) -> float:
    started = time.process_time()
    sentences(text)
    return time.process_time() - started


@pytest.mark.check
@pytest.mark.parametrize("length", [100_000, pytest.param(1_000_000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("unit", HOSTILE, ids=repr)
def test_a_hostile_text_takes_linear_time(unit: str, length: int) -> None:
    text = unit * (length // len(unit))
    # on a busy machine even processor time is longer now and then
    assert any(seconds(text) < 2 for _ in range(3))


@pytest.mark.parametrize(
    "text",
    [
        "Wir treffen uns am 15. Bringen Sie den Ausweis mit.",
        "Die Frist endet zum 31. Danach verfällt der Anspruch.",
        "See the list (section 4.2.) Passwords expire after 90 days.",
    ],
)
def test_a_day_of_a_month_and_a_section_may_end_a_sentence(text: str) -> None:
    assert len(split(text)) == 2
