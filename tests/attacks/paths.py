"""Names of files that lead out of a folder, or to what is never shown, and documents that name such files."""

import io
import os
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from tests.fakes.odd_files import place_socket
from tests.unit.indexer.parse.test_docx import changed, sample

SECRET = "the crown jewels"
"""Stands in each file outside of the folder."""
KEY = "a key"
"""Stands in the files of the folder that are never shown as they are now."""

Verdict = Literal["malformed", "private", "not there"]


@dataclass(frozen=True)
class PathAttack:
    """A name. verdict: what it is said to be where the folder `docs` is read as it is now."""

    name: str
    verdict: Verdict


MALFORMED = (
    *("", "docs", "docs/", "/docs/a.txt", "/etc/passwd", "//etc/passwd", "docs//a.txt", "docs/./a.txt", "./docs/a.txt"),
    *("docs/../outer.txt", "docs/sub/../../outer.txt", "../docs/a.txt", "docs/..", "docs/.../a", "docs/.. /outer.txt"),
    *("docs/a.txt\0", "docs/a.txt\0.md", "docs\\a.txt", "docs/..\\outer.txt", "docs/a\n.txt", "docs/\ud800", "C:\\a"),
    *("docs/a.txt/", "docs/a\u2028b", "docs/" + "x/" * 600 + "a", "file:///etc/passwd", "\\\\host\\share\\a"),
)
PRIVATE = (
    *(".env", ".env.production", ".ENV", "prod.env", ".git/config", "sub/.ssh/config", ".hidden", "sub/.x/y.txt"),
    *("server.pem", "SERVER.PEM", "server.key", "server.key~", "server.pem.bak", "a.p12", "a.pfx", "vault.kdbx"),
    *("id_rsa", "id_rsa.pub", "id_rsa_old", "id_ed25519", "id_ecdsa_sk", "x.keystore", "credentials", "secrets.yaml"),
    *("credentials.json", "main.tfstate", "shadow", "server.ｐｅｍ", "server.pem ", "server.pem."),
)
"""Hidden files, keys and credentials: they are there."""
LIKE_A_DOT = ("..%2fouter.txt", "‥/outer.txt", "．．/outer.txt", "．env")
NOT_THERE = (
    *("docs/none.txt", "docs/sub", "docs/sub/none/b.md", "docs/a.txt/b", "other/a.txt", "DOCS/a.txt"),
    *("docs/" + "x" * 300, "dev/zero", "dev/null", "dev/tty", "dev/ptmx", "docs/fifo", "docs/socket"),
)
NOT_DECODED = (
    *("%2e%2e/outer.txt", "%2e%2e%2fouter.txt", "%252e%252e/outer.txt", "x%2f..%2f..%2fouter.txt", "a.txt%00.md"),
    *("sub%2fb.md", "docs／a.txt", "sub∕b.md", "&#46;&#46;", "~", "$HOME", "*", "a.tx?"),
)
LINKS: Mapping[str, Callable[[Path], Path]] = {
    "out.txt": lambda folder: folder.parent / "outer.txt",
    "relative.txt": lambda _folder: Path("../outer.txt"),
    "folder": lambda folder: folder.parent / "outside",
    "sub/up": lambda _folder: Path(".."),
    "loop": lambda _folder: Path("loop"),
    "dangling": lambda _folder: Path("nothing"),
}
THROUGH_LINKS = (
    *("out.txt", "relative.txt", "folder/note.txt", "sub/up/a.txt", "sub/up/../outer.txt", "loop", "dangling"),
)

_BY_VERDICT: Mapping[Verdict, tuple[str, ...]] = {
    "malformed": (*MALFORMED, *(f"docs/{each}" for each in THROUGH_LINKS if ".." in each)),
    "private": tuple(f"docs/{each}" for each in (*PRIVATE, *LIKE_A_DOT)),
    "not there": (
        *NOT_THERE,
        *(f"docs/{each}" for each in (*NOT_DECODED, *(each for each in THROUGH_LINKS if ".." not in each))),
    ),
}
PATHS: Mapping[str, PathAttack] = {
    ascii(name)[:80]: PathAttack(name, verdict) for verdict, names in _BY_VERDICT.items() for name in names
}
FILE_IDS = {name: each for name, each in PATHS.items() if not {"\0", "\ud800"} & {*each.name}}
"""What can be the name of a file: ids come from a listing of files alone."""

SPELLINGS: Mapping[str, str] = {
    ascii(name): name
    for name in (
        *("ada/diary.md", "/ada/diary.md", "./ada/diary.md", "ada//diary.md", "zoo/../ada/diary.md", "ADA/DIARY.MD"),
        *("ada\\diary.md", "%61da/diary.md", "ada/diary.md\0", "ａda/diary.md", "file:///ada/diary.md", "diary"),
        *("vault.md", "../vault.md", "Vault", "id:diary", "diary.md", "a*", "%", "_", "' OR 1=1 --", "ada/"),
    )
}
"""Names of documents that the asker may not read."""


def plant(tmp_path: Path) -> Path:
    """A folder `docs` with two plain files, among all that must not be read."""
    folder = tmp_path / "docs"
    for name in ("sub", "../outside"):
        (folder / name).mkdir(parents=True)
    for name in ("../outer.txt", "../outside/note.txt", *PRIVATE):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(KEY if name in PRIVATE else SECRET)
    (folder / "a.txt").write_text("alpha")
    (folder / "sub" / "b.md").write_text("beta")
    for name, target in LINKS.items():
        (folder / name).symlink_to(target(folder))
    os.mkfifo(folder / "fifo")
    place_socket(folder, "socket")
    return folder


def archive(member: str) -> bytes:
    """A document whose archive has a member of that name, beside the usual ones."""
    buffer = io.BytesIO(sample())
    with zipfile.ZipFile(buffer, "a") as opened:
        opened.writestr(member, "owned")
    return buffer.getvalue()


def related(target: str) -> bytes:
    """A document that names a file as a part of itself."""
    relation = f'<Relationship Id="rX" Type="http://x.example/header" Target="{target}" TargetMode="External"/></Rel'
    return changed(sample(), "word/_rels/document.xml.rels", lambda raw: raw.replace(b"</Rel", relation.encode(), 1))


def external(raw: bytes, secret: Path) -> bytes:
    """The XML of a document with an entity that stands for a file."""
    text = raw.decode()
    start = text.index("<w:document")
    entity = f'<!DOCTYPE d [<!ENTITY x SYSTEM "{secret.as_uri()}">]>'
    return (text[:start] + entity + text[start:].replace("Intro text.", "Intro &x;")).encode()


Made = Callable[[Path], tuple[str, bytes]]

NAMED_FILES: Mapping[str, Made] = {
    "an archive with a name above it": lambda _secret: ("a.docx", archive("../../owned")),
    "an archive with a name below it and out": lambda _secret: ("a.docx", archive("word/../../owned")),
    "an archive with a whole path": lambda secret: ("a.docx", archive(str(secret.with_name("owned")))),
    "an archive with a drive": lambda _secret: ("a.docx", archive("C:\\owned")),
    "an archive with a long name": lambda _secret: ("a.docx", archive("a/" * 200 + "b")),
    "a part at a path": lambda secret: ("a.docx", related(str(secret))),
    "a part at a file URL": lambda secret: ("a.docx", related(secret.as_uri())),
    "an entity of a DOCX": lambda secret: (
        "a.docx",
        changed(sample(), "word/document.xml", lambda raw: external(raw, secret)),
    ),
    "an entity of XHTML": lambda secret: (
        "a.xhtml",
        f'<!DOCTYPE html [<!ENTITY x SYSTEM "{secret.as_uri()}">]><html><p>a &x; b</p></html>'.encode(),
    ),
    "an entity of XML": lambda secret: (
        "a.xml",
        f'<!DOCTYPE a [<!ENTITY x SYSTEM "{secret.as_uri()}">]><a>b &x;</a>'.encode(),
    ),
    "XInclude": lambda secret: (
        "a.xml",
        f'<a xmlns:i="http://www.w3.org/2001/XInclude"><i:include parse="text" href="{secret.as_uri()}"/></a>'.encode(),
    ),
    "a frame": lambda secret: ("a.html", f'<p>a</p><iframe src="{secret.as_uri()}"></iframe>'.encode()),
    "an object": lambda secret: ("a.html", f'<p>a</p><object data="{secret.as_uri()}"></object>'.encode()),
    "a server's include": lambda secret: ("a.html", f'<p>a</p><!--#include file="{secret}" -->'.encode()),
    "an image": lambda secret: ("a.md", f"a ![x]({secret.as_uri()}) b".encode()),
    "include of reStructuredText": lambda secret: ("a.rst", f"a\n\n.. include:: {secret}\n".encode()),
    "literalinclude": lambda secret: ("a.rst", f"a\n\n.. literalinclude:: {secret}\n".encode()),
    "raw of reStructuredText": lambda secret: ("a.rst", f"a\n\n.. raw:: html\n   :file: {secret}\n".encode()),
    "csv-table": lambda secret: ("a.rst", f"a\n\n.. csv-table:: t\n   :file: {secret}\n".encode()),
    "math of reStructuredText": lambda secret: ("a.rst", f"a\n\n.. raw:: html\n   :url: {secret.as_uri()}\n".encode()),
    "a YAML include": lambda secret: ("a.yaml", f"a: !include {secret}\n".encode()),
    "a YAML object": lambda secret: (
        "a.yaml",
        f"a: !!python/object/apply:builtins.open ['{secret}']\n".encode(),
    ),
    "front matter with an object": lambda secret: (
        "a.md",
        f"---\ntitle: !!python/object/apply:pathlib.Path.read_text [{secret}]\n---\na\n".encode(),
    ),
}
"""Documents that name a file, for a reader that would go and fetch it."""
