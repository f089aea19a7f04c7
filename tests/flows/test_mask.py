"""`kb mask`: what comes in on standard input, masked; over a real process where that makes a difference."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from domain.masking import RULES, Masker
from tests.command import PATIENCE, Kb

pytestmark = pytest.mark.everyday

KEY = "ghp_" + "k9T2" * 9
MASK = "[masked: github token]"
TEXT = f"The key is {KEY}, and ünïcödé 😀 {KEY} stays.\n"
MASKED = TEXT.replace(KEY, MASK)
HEAVY = (
    "numpy",
    "sqlalchemy",
    "psycopg",
    "onnxruntime",
    "httpx",
    "langgraph",
    "pydantic",
    "storage",
    "indexer.run",
    "indexer.parse",
    "agent",
)


@dataclass(frozen=True)
class Ended:
    code: int
    out: bytes
    err: str


@pytest.fixture
def kb(tmp_path: Path) -> Kb:
    """The command without a database; there are no settings in its working folder."""
    return Kb({"KB_AGENT_DATABASE_URL": "postgresql://nobody@127.0.0.1:1/nothing"}, tmp_path)


def mask(kb: Kb, given: bytes | str, *words: str) -> Ended:
    """`kb mask` in this process."""
    done = kb("mask", *words, stdin=given)
    return Ended(done.code, done.out.encode(), done.err)


def piped(kb: Kb, given: bytes | str, *words: str) -> Ended:
    """`kb mask` as a child of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "bot.cli", "mask", *words],
        input=given.encode() if isinstance(given, str) else given,
        capture_output=True,
        env=kb.environment,
        cwd=kb.folder,
        timeout=PATIENCE,
        check=False,
    )
    return Ended(done.returncode, done.stdout, done.stderr.decode())


def lines(*rows: object) -> str:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def spanned(text: str, spans: Sequence[Any]) -> list[str]:
    return [text[span["start"] : span["end"]] for span in spans]


# -- text


def test_writes_the_text_masked_and_nothing_else(kb: Kb) -> None:
    assert piped(kb, TEXT) == Ended(0, MASKED.encode(), "")


@pytest.mark.parametrize(
    "given",
    [
        b"",
        b"\n",
        b"no line end",
        b"one\r\ntwo\rthree\n",
        b"\xef\xbb\xbfwith a mark\r\n",
        "\u2028 \x85 \x00 \x1b[1m".encode(),
    ],
)
def test_what_is_no_secret_stays_byte_by_byte(kb: Kb, given: bytes) -> None:
    assert mask(kb, given) == Ended(0, given, "")


def test_line_ends_around_a_finding_stay(kb: Kb) -> None:
    assert mask(kb, f"a\r\n{KEY}.\r\nb") == Ended(0, f"a\r\n{MASK}.\r\nb".encode(), "")


def test_what_is_not_utf_8_is_replaced_and_told(kb: Kb) -> None:
    done = mask(kb, b"caf\xe9 " + KEY.encode())
    assert (done.code, done.out) == (0, f"caf\N{REPLACEMENT CHARACTER} {MASK}".encode())
    assert "not UTF-8" in done.err


def test_a_replacement_character_of_the_text_itself_is_no_reason_to_tell(kb: Kb) -> None:
    assert mask(kb, "\N{REPLACEMENT CHARACTER}") == Ended(0, "\N{REPLACEMENT CHARACTER}".encode(), "")


def test_a_big_pipe(kb: Kb) -> None:
    filler = "The quick brown fox jumps over the lazy dog.\r\n" * 25_000
    done = piped(kb, filler + TEXT + filler)
    assert (done.code, done.err) == (0, "")
    assert done.out == (filler + MASKED + filler).encode()


def test_a_reader_that_leaves_is_no_error(kb: Kb) -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "bot.cli", "mask"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=kb.environment,
        cwd=kb.folder,
    ) as process:
        assert process.stdout
        process.stdout.close()
        assert process.stdin
        process.stdin.write(b"nothing to see here\n" * 20_000)
        process.stdin.close()
        assert process.stderr
        assert process.stderr.read() == b""


# -- json


def test_json_says_where_and_what(kb: Kb) -> None:
    done = mask(kb, TEXT, "--json")
    assert (done.code, done.err) == (0, "")
    assert done.out.endswith(b"}\n")
    assert done.out.count(b"\n") == 1
    found = json.loads(done.out)
    assert set(found) == {"masked", "spans"}
    assert found["masked"] == MASKED
    assert [span["kind"] for span in found["spans"]] == ["github token"] * 2
    assert spanned(TEXT, found["spans"]) == [KEY, KEY]


def test_json_of_nothing(kb: Kb) -> None:
    assert json.loads(mask(kb, "", "--json").out) == {"masked": "", "spans": []}


def test_json_lines_pass_everything_else_through_in_order(kb: Kb) -> None:
    rows = [
        {"id": "a", "text": TEXT, "n": [1, {"x": None}]},
        {"text": "plain"},
        {"spans": 1, "text": "", "masked": "x"},
    ]
    done = mask(kb, lines(*rows), "--jsonl")
    assert (done.code, done.err) == (0, "")
    first, second, third = (json.loads(line) for line in done.out.decode().splitlines())
    assert list(first) == ["id", "masked", "spans", "n"]
    assert (first["id"], first["masked"], first["n"]) == ("a", MASKED, [1, {"x": None}])
    assert spanned(TEXT, first["spans"]) == [KEY, KEY]
    assert second == {"masked": "plain", "spans": []}
    assert third == {"masked": "", "spans": []}


def test_json_lines_in_other_forms(kb: Kb) -> None:
    given = "\ufeff" + r'{"text": "a\u2028b"}' + "\r\n\r\n" + r'  {"text": "half \ud800"}  '
    done = mask(kb, given, "--jsonl")
    assert done.code == 0
    masked = [json.loads(line)["masked"] for line in done.out.decode().splitlines()]
    assert masked == ["a\u2028b", "half \N{REPLACEMENT CHARACTER}"]


@pytest.mark.parametrize(
    "bad",
    ['{"text": 1}', '{"id": 1}', "[]", "{", '"text"', '{"text": "a", "n": NaN}', "[" * 100_000, '{"text": "a"} {}'],
    ids=lambda bad: bad[:20],
)
def test_a_bad_line_is_named_and_nothing_before_it_is_lost(kb: Kb, bad: str) -> None:
    done = mask(
        kb, lines({"id": 1, "text": TEXT}, {"id": 2, "text": "b"}) + bad + "\n" + lines({"text": "c"}), "--jsonl"
    )
    assert done.code == 2
    assert [json.loads(line)["id"] for line in done.out.decode().splitlines()] == [1, 2]
    assert done.err.startswith("Error: Line 3 is not a text")


# -- check and kinds


def test_check_tells_how_much_was_found_and_shows_none_of_it(kb: Kb) -> None:
    done = mask(kb, TEXT, "--check")
    assert (done.code, done.out) == (1, b"")
    assert done.err == "2 findings: github token 2\n"


@pytest.mark.parametrize("words", [("--check",), ("--check", "--jsonl")])
def test_check_of_a_clean_text_is_quiet(kb: Kb, words: tuple[str, ...]) -> None:
    assert mask(kb, lines({"text": "nothing here"}), *words) == Ended(0, b"", "")


def test_check_looks_at_every_line(kb: Kb) -> None:
    done = mask(kb, lines({"text": "nothing"}, {"text": KEY}, {"text": KEY}), "--check", "--jsonl")
    assert (done.code, done.out, done.err) == (1, b"", "2 findings: github token 2\n")


def test_kinds_lists_every_kind_once(kb: Kb) -> None:
    listed: Any = json.loads(mask(kb, b"", "--kinds", "--json").out)["kinds"]
    assert {each["kind"] for each in listed} == {rule.kind for rule in RULES}
    assert len(listed) == len({each["kind"] for each in listed})
    assert {each["is"] for each in listed} <= {"secret", "personal data"}
    assert not any(each["off"] for each in listed)
    shown = mask(kb, b"", "--kinds").out.decode().splitlines()
    assert len(shown) == len(listed)
    assert next(line for line in shown if line.startswith("github token ")).endswith("  secret")


# -- settings


def test_settings_decide(kb: Kb) -> None:
    rule = [{"name": "badge", "pattern": r"BDG-\d{6}"}]
    (kb.folder / "kb.toml").write_text('[[masking_rules]]\nname = "badge"\npattern = "BDG-[0-9]{6}"\n')
    assert mask(kb, "BDG-123456").out == b"[masked: badge]"
    (kb.folder / "kb.toml").unlink()
    assert mask(kb.having(MASKING_RULES=json.dumps(rule)), "BDG-123456").out == b"[masked: badge]"
    assert mask(kb, "BDG-123456").out == b"BDG-123456"
    off = kb.having(MASK_OFF="github token")
    assert mask(off, KEY).out == KEY.encode()
    assert "github token" in mask(off, b"", "--kinds").out.decode()


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("MASKING_RULES", '[{"name": "odd", "pattern": "(?<=x)y"}]', "odd"),
        ("MASKING_RULES", '[{"name": "odd"}]', "Table 1 has no pattern"),
        ("MASKING_RULES", "odd", "JSON"),
        ("MASK_OFF", "gihtub token", "gihtub token"),
    ],
)
def test_a_wrong_setting_is_named_and_nothing_is_written(kb: Kb, name: str, value: str, said: str) -> None:
    done = mask(kb.having(**{name: value}), TEXT)
    assert (done.code, done.out) == (2, b"")
    assert said in done.err
    assert "next:" in done.err


@pytest.mark.parametrize(
    "words", [("--json", "--jsonl"), ("--check", "--json"), ("--kinds", "--check"), ("--kinds", "--jsonl")]
)
def test_options_that_exclude_each_other(kb: Kb, words: tuple[str, ...]) -> None:
    assert mask(kb, TEXT, *words).code == 2


# -- its start


def test_it_imports_nothing_heavy(kb: Kb) -> None:
    code = f"import sys; from bot.cli.entry import run; run(['mask']); print(*set({HEAVY!r}) & set(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", code], input=TEXT, env=kb.environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.removeprefix(MASKED) == "\n"


@pytest.mark.check
def test_it_starts_fast(kb: Kb) -> None:
    def seconds() -> float:
        before = os.times()
        assert piped(kb, TEXT).code == 0
        return os.times().children_user - before.children_user

    assert min(seconds() for _ in range(3)) < 1.0


def test_what_it_writes_is_what_the_masker_makes(kb: Kb) -> None:
    given = "\n".join(example for rule in RULES for example in rule.examples)
    assert mask(kb, given).out.decode() == Masker().mask(given).text
