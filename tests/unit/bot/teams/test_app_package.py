"""The app package: what it holds, and that deploy/teams shows it. `python -m tests.unit.bot.teams.test_app_package`
writes deploy/teams anew after a wanted change."""

import io
import json
import struct
import zipfile
import zlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot.conversation.commands import COMMANDS, parse_command
from bot.teams.app_package import ACCENT, FILES, AppDetails, archive, files, manifest
from domain.errors import KbError, Misconfigured, Refused
from tests.architecture.checkout import ROOT
from tests.command import Kb

APP = AppDetails("00000000-0000-0000-0000-000000000000")
"""As in deploy/teams, where the id is still to be filled in."""
SHOWN = ROOT / "deploy" / "teams"


def pixels(png: bytes) -> tuple[int, list[tuple[int, ...]]]:
    """The side of a square PNG as we write them, and its pixels."""
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    side, height, *form = struct.unpack(">IIBBBBB", png[16:29])
    assert (height, form) == (side, [8, 6, 0, 0, 0])
    start = png.index(b"IDAT")
    (length,) = struct.unpack(">I", png[start - 4 : start])
    assert zlib.crc32(png[start : start + 4 + length]) == struct.unpack(">I", png[start + 4 + length :][:4])[0]
    raw = zlib.decompress(png[start + 4 : start + 4 + length])
    rows = [raw[place + 1 : place + 1 + 4 * side] for place in range(0, len(raw), 4 * side + 1)]
    return side, [tuple(row[place : place + 4]) for row in rows for place in range(0, len(row), 4)]


def test_the_coloured_icon_is_a_symbol_on_one_colour() -> None:
    side, found = pixels(files(APP)["color.png"])
    assert side == 192
    assert {alpha for *_, alpha in found} == {255}
    border = [pixel for place, pixel in enumerate(found) if not 47 < place // 192 < 144 or not 47 < place % 192 < 144]
    assert set(border) == {(*bytes.fromhex(ACCENT[1:]), 255)}
    assert (255, 255, 255, 255) in found


def test_the_outline_is_white_or_nothing_and_reaches_the_border() -> None:
    side, found = pixels(files(APP)["outline.png"])
    assert side == 32
    assert {pixel[:3] for pixel in found} == {(255, 255, 255)}
    assert {0, 255} <= {alpha for *_, alpha in found}
    assert any(pixel[3] for pixel in found[:32])
    assert any(pixel[3] for pixel in found[-32:])


def test_deploy_shows_the_package() -> None:
    assert {name: (SHOWN / name).read_bytes() for name in FILES} == files(APP)


def test_the_archive_holds_these_files_and_nothing_else() -> None:
    with zipfile.ZipFile(io.BytesIO(archive(APP))) as zipped:
        assert zipped.testzip() is None
        assert {name: zipped.read(name) for name in zipped.namelist()} == files(APP)
    assert archive(APP) == archive(APP)


def test_a_manifest_is_filled_and_within_teams_limits() -> None:
    app = AppDetails(
        "AAAAAAAA-0000-4000-8000-000000000001", "1.2.3", "Ask us", "Tidewell", "https://tidewell.example/kb"
    )
    content = manifest(app)
    [bot] = content["bots"]
    assert content["id"] == bot["botId"] == app.app_id.lower()
    assert content["version"] == "1.2.3"
    assert content["name"]["short"] == "Ask us"
    assert set(content["developer"].values()) == {"Tidewell", "https://tidewell.example/kb"}
    assert len(content["name"]["full"]) <= 100
    assert len(content["description"]["short"]) <= 80
    assert set(bot["scopes"]) == {"personal", "team", "groupChat"}
    assert not bot["isNotificationOnly"]


def test_its_commands_are_those_that_are_understood() -> None:
    [bot] = manifest(APP)["bots"]
    [listed] = bot["commandLists"]
    assert [each["title"] for each in listed["commands"]] == [each.name for each in COMMANDS if each.menu]
    assert 1 <= len(listed["commands"]) <= 10
    for each in listed["commands"]:
        assert parse_command(each["title"]).word == each["title"]
        assert len(each["title"]) <= 32
        assert len(each["description"]) <= 128


@pytest.mark.parametrize(
    ("wrong", "error"),
    [
        ({"app_id": ""}, Misconfigured),
        ({"app_id": "kb"}, Misconfigured),
        ({"version": "1.2"}, Refused),
        ({"name": ""}, Refused),
        ({"name": "x" * 31}, Refused),
        ({"name": "a\nb"}, Refused),
        ({"company": "x" * 33}, Refused),
        ({"website": "http://example.com"}, Refused),
        ({"website": "https://"}, Refused),
        ({"website": "https://a b"}, Refused),
        ({"website": "https://[x"}, Refused),
    ],
)
def test_what_teams_would_refuse_is_refused(wrong: dict[str, Any], error: type[KbError]) -> None:
    with pytest.raises(error) as refused:
        archive(replace(APP, **wrong))
    assert refused.value.next_step


def test_the_command_writes_it(tmp_path: Path) -> None:
    name = "11111111-2222-4333-8444-555555555555"
    kb = Kb({"KB_AGENT_TEAMS_APP_ID": name}, tmp_path)
    done = kb(
        "teams", "package", "--out", "app.zip", "--name", "Ask", "--company", "Tidewell", "--app-version", "2.0.0"
    )
    assert (done.code, done.err) == (0, "")
    assert "app.zip" in done.out
    with zipfile.ZipFile(tmp_path / "app.zip") as zipped:
        content = json.loads(zipped.read("manifest.json"))
    assert (content["id"], content["name"]["short"], content["version"]) == (name, "Ask", "2.0.0")


@pytest.mark.parametrize("form", ["{{{}}}", "{}", "urn:uuid:{}"])
def test_an_id_has_one_form_in_the_manifest(form: str) -> None:
    name = "aaaaaaaa-2222-4333-8444-555555555555"
    content = manifest(replace(APP, app_id=form.format(name.upper())))
    assert content["id"] == content["bots"][0]["botId"] == name
    assert manifest(replace(APP, app_id=name.replace("-", "")))["id"] == name


def test_the_command_says_what_is_missing(tmp_path: Path) -> None:
    done = Kb({}, tmp_path)("teams", "package")
    assert done.code == 2
    assert "KB_AGENT_TEAMS_APP_ID is not set" in done.err
    assert list(tmp_path.iterdir()) == []
    kb = Kb({"KB_AGENT_TEAMS_APP_ID": APP.app_id}, tmp_path)
    assert "cannot be written" in kb("teams", "package", "--out", "no/such/folder.zip").err
    assert "1.2.3" in kb("teams", "package", "--app-version", "new").err


def main() -> None:
    for name, content in files(APP).items():
        (SHOWN / name).write_bytes(content)


if __name__ == "__main__":
    main()
