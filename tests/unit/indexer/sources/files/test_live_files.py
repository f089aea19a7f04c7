"""Files as they are now, in folders with traps."""

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from domain.access import ORGANISATION, Acl, Scope, user
from domain.errors import Refused
from domain.masking import Masker
from indexer.sources.files.live_files import FolderFiles
from tests.fakes.masking import github_token

MEMBER = Scope.member("ada@example.com")
SECRET = "the secret"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """An allowed folder beside which there is a secret."""
    (tmp_path / "outer.txt").write_text(SECRET)
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "note.txt").write_text(SECRET)
    made = tmp_path / "docs"
    (made / "sub").mkdir(parents=True)
    (made / "a.txt").write_text("alpha")
    (made / "sub" / "b.md").write_text("beta")
    return made


@pytest.fixture
def files(root: Path) -> FolderFiles:
    return FolderFiles({"docs": root}, {"docs": ORGANISATION})


async def text(files: FolderFiles, name: str, scope: Scope = MEMBER) -> str | None:
    found = await files.fetch(name, scope)
    return found.text if found else None


async def test_a_file_comes_with_what_is_known_of_it(root: Path, files: FolderFiles) -> None:
    moment = datetime(2026, 3, 31, 12, 30, tzinfo=UTC)
    (root / "sub" / "b.md").write_bytes(b"\xef\xbb\xbfone\r\ntwo")
    os.utime(root / "sub" / "b.md", (moment.timestamp(),) * 2)
    found = await files.fetch("docs/sub/b.md", MEMBER)
    assert found is not None
    assert (found.text, found.title, found.path, found.source) == ("one\ntwo", "b.md", "docs/sub/b.md", "docs")
    assert (found.url, found.media_type) == ((root / "sub" / "b.md").as_uri(), "text/markdown")
    assert found.updated_at is None, "a time stamp is no date of the text"


@pytest.mark.parametrize(
    "name", ["empty", "计划　一.txt", "with blank #1.txt", "a..b.txt", "%2e%2e", "a%2fb", "👩‍👧.md"]
)
async def test_odd_names_are_names(root: Path, files: FolderFiles, name: str) -> None:
    (root / name).write_text("" if name == "empty" else name)
    assert await text(files, f"docs/{name}") == ("" if name == "empty" else name)


@pytest.mark.parametrize(
    "name", ["keys.md", "environment.txt", "pem.txt", "id_rsanta.txt", "secretary.md", "keyboard.key-map.txt"]
)
async def test_harmless_names_are_not(root: Path, files: FolderFiles, name: str) -> None:
    (root / name).write_text("x")
    assert await text(files, f"docs/{name}") == "x"


async def test_the_folder_itself_may_be_reached_by_a_link(root: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(root)
    assert await text(FolderFiles({"docs": tmp_path / "link"}, {"docs": ORGANISATION}), "docs/a.txt") == "alpha"


async def test_a_file_that_may_not_be_opened_is_none(root: Path, files: FolderFiles) -> None:
    (root / "closed.txt").write_text(SECRET)
    (root / "closed.txt").chmod(0)
    if os.access(root / "closed.txt", os.R_OK):
        pytest.skip("this user may read everything")
    assert await files.fetch("docs/closed.txt", MEMBER) is None


async def test_a_file_up_to_the_limit_is_read(root: Path) -> None:
    files = FolderFiles({"docs": root}, {"docs": ORGANISATION}, max_bytes=1_000)
    (root / "fits.txt").write_bytes(b"x" * 1_000)
    (root / "big.txt").write_bytes(b"x" * 1_001)
    with (root / "huge.txt").open("wb") as sparse:
        sparse.truncate(1 << 40)
    assert await text(files, "docs/fits.txt") == "x" * 1_000
    for name in ("big.txt", "huge.txt"):
        with pytest.raises(Refused, match="was not read") as raised:
            await files.fetch(f"docs/{name}", MEMBER)
        assert "larger than 0.001 MB" in raised.value.why


@pytest.mark.parametrize("raw", [b"a\0b", b"\xff\xfea", b"caf\xe9\x01", b"\x89PNG\r\n\x1a\n\0\0"])
async def test_what_is_not_text_is_refused(root: Path, files: FolderFiles, raw: bytes) -> None:
    (root / "a.txt").write_bytes(raw)
    with pytest.raises(Refused) as raised:
        await files.fetch("docs/a.txt", MEMBER)
    assert "not text" in raised.value.why


async def test_each_folder_has_readers_of_its_own(root: Path, tmp_path: Path) -> None:
    folders = {"all": root, "ada": root, "bo": root, "nobody": root}
    readers = {
        "all": ORGANISATION,
        "ada": Acl.any_of(user("ada@example.com")),
        "bo": Acl.any_of(user("bo@example.com")),
    }
    files = FolderFiles(folders, readers)
    seen = {name: await text(files, f"{name}/a.txt") for name in folders}
    assert seen == {"all": "alpha", "ada": "alpha", "bo": None, "nobody": None}
    in_a_channel = Scope(MEMBER.asker, audience=Scope.member().asker)
    assert await text(files, "ada/a.txt", in_a_channel) is None
    assert await text(files, "all/a.txt", in_a_channel) == "alpha"
    assert await text(files, "all/a.txt", Scope.outsider()) is None


async def test_who_may_not_read_learns_nothing(root: Path) -> None:
    files = FolderFiles({"docs": root}, {"docs": Acl.any_of(user("bo@example.com"))}, max_bytes=2)
    (root / "binary").write_bytes(b"\0")
    for name in ("a.txt", "binary", "none.txt", "sub"):
        assert await files.fetch(f"docs/{name}", MEMBER) is None


@pytest.mark.parametrize("component", ["file", "folder"])
async def test_a_link_that_takes_a_place_while_we_look_leads_nowhere(
    root: Path, files: FolderFiles, component: str
) -> None:
    """The place holds a thing of ours and a link to the secret in turn, many times a second."""
    (root / "real.txt").write_text("fine")
    (root / "real").mkdir()
    (root / "real" / "note.txt").write_text("fine")
    good, target, name = {
        "file": (root / "real.txt", root.parent / "outer.txt", "docs/swapped"),
        "folder": (root / "real", root.parent / "outside", "docs/swapped/note.txt"),
    }[component]
    with swapping(root / "swapped", good, target):
        seen = {await text(files, name) for _ in range(300)}
        while "fine" not in seen:
            seen.add(await text(files, name))
    assert seen <= {"fine", None}


@contextmanager
def swapping(place: Path, good: Path, target: Path) -> Iterator[None]:
    stop = threading.Event()
    link = place.with_name("link-aside")
    aside = place.with_name("good-aside")

    def swap() -> None:
        while not stop.is_set():
            good.rename(place)
            stop.wait(0.0005)
            place.rename(aside)
            link.symlink_to(target)
            link.rename(place)
            stop.wait(0.0005)
            place.unlink()
            aside.rename(good)

    thread = threading.Thread(target=swap)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


async def test_a_file_is_not_found_by_the_masked_name_that_the_index_has(root: Path, files: FolderFiles) -> None:
    token = github_token()
    (root / f"notes-{token}.txt").write_text("words")
    masked = Masker().secrets(f"docs/notes-{token}.txt").text
    assert token not in masked
    assert await files.fetch(masked, MEMBER) is None


PARTS = st.sampled_from(
    ["docs", "..", ".", "", "a.txt", "sub", "b.md", "link", "outer.txt", "outside", "note.txt", "/", "\\"]
)


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(name=st.one_of(st.lists(PARTS, max_size=6).map("/".join), st.text(max_size=30)))
async def test_no_name_leads_out(root: Path, files: FolderFiles, name: str) -> None:
    if not (root / "link").is_symlink():
        (root / "link").symlink_to("..")
    try:
        found = await files.fetch(name, MEMBER)
    except Refused:
        return
    assert found is None or (found.path, found.text) in {("docs/a.txt", "alpha"), ("docs/sub/b.md", "beta")}
