import os
import shutil
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import unquote, urlparse
from uuid import uuid4

import pytest

from domain.access import ORGANISATION, Acl, user
from domain.errors import KbError, Refused, Transient
from indexer.sources.connector import ListedDocument, SkippedDocument
from indexer.sources.files.connector import FOREIGN_FOLDERS, FilesConnector


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a file `a.md` in it."""
    made = tmp_path / "docs"
    made.mkdir()
    (made / "a.md").write_text("alpha")
    return made


async def listing(root: Path, **options: int) -> list[ListedDocument | SkippedDocument]:
    return [item async for item in FilesConnector(root, ORGANISATION, **options).listing()]


async def listed(root: Path, **options: int) -> list[str]:
    return [item.external_id for item in await listing(root, **options) if isinstance(item, ListedDocument)]


async def passed(root: Path, **options: int) -> dict[str, str]:
    return {item.path: item.reason for item in await listing(root, **options) if isinstance(item, SkippedDocument)}


async def test_every_file_below_once_in_a_steady_order(folder: Path) -> None:
    for name in ("z.md", "sub/b.md", "sub/deeper/c.md", "other/d.md", "B.md"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(name)
    expected = ["B.md", "a.md", "z.md", "other/d.md", "sub/b.md", "sub/deeper/c.md"]
    assert await listed(folder) == expected
    assert await listed(folder) == expected


async def test_a_file_as_it_is_listed(folder: Path) -> None:
    moment = datetime(2026, 3, 31, 12, 30, tzinfo=UTC)
    path = folder / "with blank #1.md"
    path.write_text("x")
    os.utime(path, (moment.timestamp(),) * 2)
    (item,) = [each for each in await listing(folder) if each.path == path.name]
    assert item == ListedDocument(path.name, path.name, path.as_uri(), "", moment, stamped=True)
    assert unquote(urlparse(path.as_uri()).path) == str(path)


@pytest.mark.parametrize("name", [".hidden.md", ".git/config.md", ".venv/pyvenv.cfg"])
async def test_hidden_things_are_passed_without_a_word(folder: Path, name: str) -> None:
    (folder / name).parent.mkdir(exist_ok=True)
    (folder / name).write_text("x")
    assert [item.path for item in await listing(folder)] == ["a.md"]


@pytest.mark.parametrize("name", [*(f"sub/{each}/x.md" for each in sorted(FOREIGN_FOLDERS)), "sub/env/pyvenv.cfg"])
async def test_installed_and_made_things_are_passed_and_what_is_known_of_them_stays(folder: Path, name: str) -> None:
    path = folder / name
    path.parent.mkdir(parents=True)
    path.write_text("x")
    (path.parent / "deep").mkdir()
    (path.parent / "deep" / "y.md").write_text("y")
    below = f"{path.parent.relative_to(folder)}/"
    found = await listing(folder)
    assert [item.path for item in found if isinstance(item, ListedDocument)] == ["a.md"]
    assert [(item.external_id, item.below) for item in found if isinstance(item, SkippedDocument)] == [(below, True)]


@pytest.mark.parametrize("name", ["build/x.md", "dist/x.md", "target/x.md", "venv/x.md", "env/x.md"])
async def test_folders_that_may_hold_documents_are_read(folder: Path, name: str) -> None:
    (folder / name).parent.mkdir()
    (folder / name).write_text("x")
    assert await listed(folder) == ["a.md", name]


async def test_a_file_named_like_a_foreign_folder_is_a_file(folder: Path) -> None:
    (folder / "node_modules").write_text("x")
    assert await listed(folder) == ["a.md", "node_modules"]


async def test_one_file_is_a_source(folder: Path) -> None:
    (folder / "b.md").write_text("beta")
    connector = FilesConnector(folder / "a.md", ORGANISATION)
    (item,) = [each async for each in connector.listing()]
    assert isinstance(item, ListedDocument)
    assert (item.external_id, item.path) == ("a.md", "a.md")
    assert (await connector.fetch(item)).raw == b"alpha"
    (folder / "a.md").unlink()
    with pytest.raises(Refused, match="There is no file or folder"):
        await listing(folder / "a.md")


def test_it_admits_whom_its_source_admits(folder: Path) -> None:
    acl = Acl.any_of(user("ada@example.com"))
    assert FilesConnector(folder, acl).acl == acl


Make = Callable[[Path], object]

ROOTS: dict[str, Make] = {
    "nothing": lambda _root: None,
    "a loop": lambda root: root.symlink_to(root),
    "a pipe": os.mkfifo,
}


@pytest.mark.parametrize("kind", ROOTS)
async def test_a_source_that_is_neither_file_nor_folder_is_refused(tmp_path: Path, kind: str) -> None:
    ROOTS[kind](tmp_path / "root")
    with pytest.raises(Refused) as caught:
        await listing(tmp_path / "root")
    assert "Nothing was removed" in caught.value.next_step


async def test_the_source_itself_may_be_a_link(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(folder)
    assert await listed(tmp_path / "link") == ["a.md"]


async def test_links_inside_are_files_and_links_outside_are_passed(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "secret.md").write_text("secret")
    (folder / "inside.md").symlink_to("a.md")
    (folder / "outside.md").symlink_to(tmp_path / "secret.md")
    (folder / "folder").symlink_to(tmp_path)
    (folder / "nowhere.md").symlink_to("missing")
    (folder / "loop.md").symlink_to("loop.md")
    assert await listed(folder) == ["a.md", "inside.md"]
    assert set(await passed(folder)) == {"outside.md", "folder", "nowhere.md", "loop.md"}
    gone = {each.path for each in await listing(folder) if isinstance(each, SkippedDocument) and each.gone}
    assert gone == {"nowhere.md", "loop.md"}, "what is there and is passed stays in the index"


async def test_a_folder_whose_name_begins_like_the_sources_is_outside(tmp_path: Path, folder: Path) -> None:
    (tmp_path / "docs-secret").mkdir()
    (tmp_path / "docs-secret" / "s.md").write_text("secret")
    (folder / "link.md").symlink_to("../docs-secret/s.md")
    assert await listed(folder) == ["a.md"]


async def test_a_file_at_the_limit_is_listed_and_one_above_is_not(folder: Path) -> None:
    (folder / "a.md").write_bytes(b"x" * 1_000)
    (folder / "b.md").write_bytes(b"x" * 1_001)
    assert await listed(folder, max_bytes=1_000) == ["a.md"]
    assert await passed(folder, max_bytes=1_000) == {"b.md": "larger than 0.001 MB"}


async def test_a_time_that_no_calendar_has_is_none() -> None:
    """A file system of 64-bit times, as tmpfs is, can say so of a file from a damaged archive."""
    root = Path("/dev/shm") / f"kb-{uuid4().hex}"
    if not root.parent.is_dir():
        pytest.skip("there is no tmpfs")
    root.mkdir()
    try:
        (root / "a.md").write_text("x")
        os.utime(root / "a.md", (10**13, 10**13))
        if (root / "a.md").stat().st_mtime < 10**12:
            pytest.skip("this file system has no such times")
        (item,) = await listing(root)
        assert isinstance(item, ListedDocument)
        assert item.modified_at is None
    finally:
        shutil.rmtree(root)


def replaced(path: Path, by: Callable[[], object]) -> None:
    """Takes the file away and makes something else in its place."""
    path.unlink()
    by()


Change = Callable[[Path, Path], object]

CHANGES: dict[str, tuple[Change, type[KbError], str]] = {
    "gone": (lambda path, _secret: path.unlink(), Transient, "vanished"),
    "a link to the outside": (
        lambda path, secret: replaced(path, lambda: path.symlink_to(secret)),
        Refused,
        "leaves the folder",
    ),
    "a pipe": (lambda path, _secret: replaced(path, lambda: os.mkfifo(path)), Refused, "not a regular file"),
    "a folder": (lambda path, _secret: replaced(path, path.mkdir), Refused, "not a regular file"),
    "a loop": (lambda path, _secret: replaced(path, lambda: path.symlink_to(path)), Refused, "symbolic link"),
    "larger": (lambda path, _secret: path.write_bytes(b"x" * 1_001), Refused, "larger than 0.001 MB"),
}


@pytest.mark.parametrize("change", CHANGES)
async def test_what_a_file_became_since_it_was_listed(folder: Path, tmp_path: Path, change: str) -> None:
    secret = tmp_path / "secret.md"
    secret.write_text("secret")
    connector = FilesConnector(folder, ORGANISATION, max_bytes=1_000)
    (item,) = [each async for each in connector.listing()]
    assert isinstance(item, ListedDocument)
    make, error, reason = CHANGES[change]
    make(folder / "a.md", secret)
    with pytest.raises(error, match=reason):
        await connector.fetch(item)


async def test_the_name_tells_the_format(folder: Path) -> None:
    (folder / "sub").mkdir()
    (folder / "sub" / "b.rst").write_text("beta")
    connector = FilesConnector(folder, ORGANISATION)
    items = [each async for each in connector.listing() if isinstance(each, ListedDocument)]
    assert [(await connector.fetch(item)).name for item in items] == ["a.md", "b.rst"]


@pytest.fixture
def closed(folder: Path) -> Iterator[Path]:
    """A folder that may not be read, below the source."""
    made = folder / "closed"
    made.mkdir(mode=0)
    yield made
    made.chmod(0o755)


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
async def test_a_folder_that_may_not_be_read_stands_for_all_below_it(folder: Path, closed: Path) -> None:
    found = [item for item in await listing(folder) if isinstance(item, SkippedDocument)]
    assert found == [SkippedDocument("closed/", "closed", "the folder cannot be read: permission denied", below=True)]
    with pytest.raises(Refused, match="cannot be read"):
        await listing(closed)
