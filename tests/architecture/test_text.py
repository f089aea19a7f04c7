import re

import pytest

from tests.architecture.checkout import committed, text

# the words stand apart from their slashes and dots, so that this file does not hold what it looks for
HOMES = ("work", "root", r"Users/\w+", r"home/\w+")
HOSTS = (
    ("pypi", "org"),
    ("pythonhosted", "org"),
    ("npmjs", "(?:org|com)"),
    ("deb", "debian", "org"),
    ("docker", "io"),
    ("ghcr", "io"),
    ("quay", "io"),
)
DEVELOPERS = re.compile(rf"(?<![\w.~/-])/(?:{'|'.join(HOMES)})(?![\w-])")
NAMES = "|".join(r"\.".join(parts) for parts in HOSTS)
REGISTRIES = re.compile(rf"\b(?:{NAMES})\b|(?<!no-emit-)\bindex[-]url\b|\bfind[-]links\b")
LOCKS = ("requirements.lock", "requirements-dev.lock")
EXAMPLES = "examples/knowledge-base/"
"""Pages of an invented company: their folders and hosts are its own."""


def ours() -> list[str]:
    return [path for path in committed() if not path.startswith(EXAMPLES)]


def hits(pattern: re.Pattern[str], content: str) -> list[str]:
    return [found[0] for found in pattern.finditer(content)]


def test_no_file_names_a_folder_of_a_developers_machine() -> None:
    found = {path: places for path in ours() if (places := hits(DEVELOPERS, text(path)))}
    assert not found


def test_no_file_names_a_package_registry() -> None:
    found = {path: places for path in ours() if (places := hits(REGISTRIES, text(path)))}
    assert not found


@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_says_what_to_install_and_not_from_where(lock: str) -> None:
    lines = [line for line in text(lock).splitlines() if line.strip() and not line.lstrip().startswith("#")]
    assert lines
    allowed = re.compile(r"[a-z0-9][a-z0-9.-]*==[\w.+!]+( ; .+?)? \\|    --hash=sha256:[0-9a-f]{64}( \\)?")
    assert [line for line in lines if not allowed.fullmatch(line)] == []


@pytest.mark.parametrize("place", ["root", "root/.cache", "home/ada", "Users/ada/x", "work"])
def test_such_folders_are_seen(place: str) -> None:
    assert hits(DEVELOPERS, f"see '/{place}', there")


@pytest.mark.parametrize("place", ["/roots", "docs/work", "~/root", "/home", "https://host/home", "sql://root:x@host"])
def test_others_are_not(place: str) -> None:
    assert not hits(DEVELOPERS, f"see {place}, there")


@pytest.mark.parametrize("parts", HOSTS[:2])
def test_registries_are_seen(parts: tuple[str, ...]) -> None:
    assert hits(REGISTRIES, "from https://files." + ".".join(parts) + "/simple")
