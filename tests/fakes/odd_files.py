"""A folder with everything that a file system can hold against an indexer, and one file that is all right."""

import os
import random
import socket
from collections.abc import Callable
from pathlib import Path

from tests.unit.indexer.parse.test_pdf import page, pdf

MAX_FILE_MB = "0.05"

GOOD = "# Walrus\n\nThe walrus is fed at noon.\n"

BAD_CONTENT: dict[str, tuple[bytes, str]] = {
    "broken.pdf": (b"%PDF-1.7\n" + bytes(range(256)) * 4, "a damaged PDF file"),
    "encrypted.pdf": (
        pdf(page(("secret", 11, 72, 700))).replace(
            b"/Info 5 0 R",
            b"/Info 5 0 R /Encrypt << /Filter /Standard /V 1 /R 2 /O <%b> /U <%b> /P -44 >> /ID [<41> <41>]"
            % (b"41" * 32, b"41" * 32),
        ),
        "encrypted: it needs a password",
    ),
    "locked.docx": (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), "an old or encrypted Office file"),
    "broken.docx": (b"PK\3\4" + b"\1" * 300, "a damaged ZIP file"),
    "scan.pdf": (b"walrus\0\1\2", "not in PDF format"),
    "letter.docx": (b"walrus\0\1\2", "not in DOCX format"),
    "login.pdf": (b"<!doctype html><title>Log in</title>", "not in PDF format"),
    "huge.md": (b"walrus " * 10_000, "larger than 0.05 MB"),
    "binary.txt": (b"walrus\0\1\2", "binary: has NUL bytes"),
    "unknown.blob": (b"walrus in a format of its own", "not a document"),
    "alphabet.txt": ("Морж и его дом".encode("koi8-r"), "its encoding cannot be told: save it as UTF-8"),
    "wide.txt": ("The walrus".encode("utf-16")[:-1], "its encoding cannot be told: save it as UTF-8"),
    "empty.md": (b"", "empty"),
    "blank.md": (b" \n\n\t\n", "empty"),
}
"""Files that are reported and skipped: content and the beginning of the reason."""

GOOD_NAMES = (
    "with  blanks .md",
    "new\nline.md",
    "-rf.md",
    "ünïcödé.md",
    "名前.md",
    "smile😀.md",
    "quote'\".md",
    "100%20.md",
    "query?#fragment.md",
    "red\x1b[31m.md",
    "back\\slash.md",
    "b" * 252 + ".md",
)
"""Names under which a file is found like any other."""

POISON: dict[str, str] = {
    "nul.json": '{"walrus": "a\\u0000b"}',
    "half.json": '{"walrus": "a\\ud800b"}',
    "entity.html": "<!doctype html><title>Walrus &#0; &#xD800;</title><p>The walrus &#0; &#xDFFF; swims.</p>",
    "label.md": "---\ntags: ['{label}']\n---\n\n# Labelled walrus\n\nThe walrus has a label.\n",
    "first-day.md": "---\nupdated: '0001-01-01T00:00:00+14:00'\n---\n\nThe walrus of the first day.\n",
    "last-day.md": "---\nupdated: '9999-12-31T23:59:59-14:00'\n---\n\nThe walrus of the last day.\n",
    "formula.csv": "name,animal\n=cmd|' /C calc'!A0,walrus\n",
    "one-line.txt": "walrus " + "walrus" * 5_000,
}
"""Contents that a parser lets through and a database or a calendar may not take. What becomes of each is its own
affair; it must not become the others'."""

LINKS: dict[str, Callable[[Path], Path]] = {
    "outside.md": lambda folder: folder.parent / "outside" / "secret.md",
    "outside": lambda folder: folder.parent / "outside",
    "relative.md": lambda _folder: Path("../outside/secret.md"),
    "through.md": lambda _folder: Path("sub/../../outside/secret.md"),
    "dangling.md": lambda _folder: Path("nowhere.md"),
    "itself.md": lambda _folder: Path("itself.md"),
    "parent": lambda _folder: Path(".."),
    "sub/up": lambda folder: folder,
    "ping.md": lambda _folder: Path("pong.md"),
    "pong.md": lambda _folder: Path("ping.md"),
}
"""Links that must not be followed."""


def make(folder: Path) -> None:
    """Writes it all."""
    outside = folder.parent / "outside"
    outside.mkdir()
    (outside / "secret.md").write_text("# Secret walrus\n\nThe crown jewels are under the walrus.\n")
    (folder / "sub").mkdir(parents=True)
    (folder / "sub" / "good.md").write_text(GOOD)
    (folder / "alias.md").symlink_to("sub/good.md")
    for name, (content, _reason) in BAD_CONTENT.items():
        (folder / name).write_bytes(content)
    for number, name in enumerate(GOOD_NAMES):
        (folder / name).write_text(f"The walrus has name number {number}.\n")
    label = "".join(random.Random(1).choices([chr(code) for code in range(0x4E00, 0x9FFF)], k=990))
    for name, text in POISON.items():
        (folder / name).write_text(text.replace("{label}", label))
    for name, target in LINKS.items():
        (folder / name).symlink_to(target(folder))
    (folder / os.fsdecode(b"bad\xff\xfe.md")).write_text("walrus\n")
    os.mkfifo(folder / "pipe.md")
    place_socket(folder, "socket.md")
    _deep(folder / "deep", "d" * 100, 60)
    _deep(folder / "narrow", "n", 1_200)


def place_socket(folder: Path, name: str) -> None:
    """Makes a socket in a folder: by the open folder, as a path of any length does not fit into a socket's address."""
    opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        with socket.socket(socket.AF_UNIX) as server:
            server.bind(f"/proc/self/fd/{opened}/{name}")
    finally:
        os.close(opened)


def _deep(folder: Path, name: str, levels: int) -> None:
    """Folders in folders, down to where no path leads any more; a good file half way down and one at the bottom."""
    folder.mkdir()
    here = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    for level in range(1, levels + 1):
        os.mkdir(name, dir_fd=here)
        below = os.open(name, os.O_RDONLY | os.O_DIRECTORY, dir_fd=here)
        os.close(here)
        here = below
        if level in {10, levels}:
            file = os.open(f"level{level}.md", os.O_WRONLY | os.O_CREAT, 0o644, dir_fd=here)
            os.write(file, f"The walrus of level {level} below {folder.name}.\n".encode())
            os.close(file)
    os.close(here)
