import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.app.masking import masker_of, policy_of
from bot.app.run_reports import manifest_text
from bot.terminal.output import masked, masker, print_json, say, settings_in_force
from config.load import load
from domain.errors import Misconfigured
from domain.masking import ROLE_MAILBOXES, OwnRule, Policy
from indexer.run.report import RunReport

KEY = "ghp_" + "k9T2" * 9
BADGE = {"KB_AGENT_MASKING_RULES": json.dumps([{"name": "badge", "pattern": r"\bBDG-\d{6}\b", "keywords": ["bdg-"]}])}


Captured = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def no_settings_here(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The working folder holds no settings."""
    monkeypatch.chdir(tmp_path)


# -- the policy


def test_by_default_nothing_is_left_alone_but_what_an_office_writes_from(tmp_path: Path) -> None:
    assert policy_of(load({}, tmp_path)) == Policy(mailboxes=ROLE_MAILBOXES)


def test_settings_make_the_policy(tmp_path: Path) -> None:
    given = {"MASK_OFF": "e-mail,iban", "MASK_MAILBOXES": "desk", "MASK_DOMAINS": "x.example", "MASK_VALUES": "a b,c"}
    policy = policy_of(load({f"KB_AGENT_{name}": value for name, value in given.items()} | BADGE, tmp_path))
    assert policy.off == {"e-mail", "iban"}
    assert policy.mailboxes == (*ROLE_MAILBOXES, "desk")
    assert (policy.domains, policy.values) == (("x.example",), ("a b", "c"))
    assert policy.own == (OwnRule("badge", r"\bBDG-\d{6}\b", ("bdg-",)),)


def test_a_masker_is_compiled_once_for_each_policy(tmp_path: Path) -> None:
    one, other = load({}, tmp_path), load(BADGE, tmp_path)
    assert masker_of(policy_of(one)) is masker_of(policy_of(load({}, tmp_path)))
    assert masker_of(policy_of(one)) is not masker_of(policy_of(other))


def test_own_rules_mask(tmp_path: Path) -> None:
    found = masker_of(policy_of(load(BADGE, tmp_path))).mask("His badge is BDG-123456.")
    assert found.text == "His badge is [masked: badge]."


def test_a_wrong_rule_is_refused_by_name(tmp_path: Path) -> None:
    wrong = {"KB_AGENT_MASKING_RULES": json.dumps([{"name": "odd", "pattern": "(?<=x)y"}])}
    with pytest.raises(Misconfigured, match="odd"):
        masker_of(policy_of(load(wrong, tmp_path)))


def test_a_kind_that_there_is_not_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(Misconfigured, match="gihtub token"):
        masker_of(policy_of(load({"KB_AGENT_MASK_OFF": "gihtub token"}, tmp_path)))


# -- output


def test_what_is_said_is_masked(capsys: Captured) -> None:
    say(f"The key is {KEY}")
    say(f"{KEY},", nl=False)
    say()
    assert capsys.readouterr() == ("The key is [masked: github token]\n[masked: github token],\n", "")


def test_halves_of_characters_withhold_nothing(capsys: Captured) -> None:
    say(f"a\udcff.md with {KEY}")
    print_json({"path": "a\udcff.md"})
    assert capsys.readouterr().out == 'a\ufffd.md with [masked: github token]\n{"path": "a\ufffd.md"}\n'


def test_so_is_what_is_said_on_standard_error(capsys: Captured) -> None:
    say(f"Error: {KEY}", err=True)
    assert capsys.readouterr() == ("", "Error: [masked: github token]\n")


def test_json_is_masked_at_any_depth_and_keeps_keys_ids_and_numbers(capsys: Captured) -> None:
    ids = {"document_id": "0f" * 16, "chunk_id": "1e" * 16, "_id": "q-1"}
    print_json({**ids, "results": [{"text": f"a {KEY}", "score": 0.25, "more": (KEY, None, True)}]})
    masked = "[masked: github token]"
    expected = {**ids, "results": [{"text": f"a {masked}", "score": 0.25, "more": [masked, None, True]}]}
    written = capsys.readouterr().out
    assert json.loads(written) == expected
    assert written.endswith("}\n")


def test_what_an_operator_wrote_keeps_its_addresses_and_not_its_secrets(capsys: Captured) -> None:
    say(f"for ada.byron@tidewell.example with {KEY}", own=True)
    print_json({"audience": ["ada.byron@tidewell.example", KEY]}, own=True)
    written = capsys.readouterr().out
    assert written.count("ada.byron@tidewell.example") == 2
    assert KEY not in written


def test_settings_decide_how_output_is_masked(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in BADGE.items():
        monkeypatch.setenv(name, value)
    assert masker() is masker_of(policy_of(settings_in_force()))
    say("BDG-123456")
    assert capsys.readouterr().out == "[masked: badge]\n"


def test_settings_that_cannot_be_read_leave_the_usual_masking(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KB_AGENT_RRF_K", "x")
    with pytest.raises(Misconfigured):
        settings_in_force()
    say(KEY)
    assert capsys.readouterr().out == "[masked: github token]\n"


def test_moments_in_json_are_written_with_their_zone(capsys: pytest.CaptureFixture[str]) -> None:
    print_json({"at": datetime(2026, 3, 31, 12, tzinfo=UTC), "never": None})
    assert capsys.readouterr().out == '{"at": "2026-03-31T12:00:00+00:00", "never": null}\n'


def test_a_run_names_the_model_that_embedded() -> None:
    name = "all-MiniLM-L6-v2@53aa5117/fp32"
    shown = masked(manifest_text(RunReport("docs", embedder=name, tokens=542)), known=[name])
    assert f"model: {name}\n" in shown
    assert "542 tokens read" in shown
