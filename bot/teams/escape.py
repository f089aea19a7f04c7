"""Untrusted text for Teams: nothing in it comes alive. Pure.

The text of a message is Markdown in which Teams also reads HTML, and `<at>` calls somebody. So `<`, `>` and `&` become
entities, which every client shows as the characters, and what Markdown would read gets a backslash. Teams links what
looks like an address without being told to, so addresses that may not be live stand as code. The marker of a citation,
such as `[1]`, stays as it is: Teams itself makes it one; what follows it can make no link of it.

Cards have literal texts, see bot.teams.card_elements. Nothing invisible is inserted anywhere: whoever copies a command
copies what stands there.
"""

import re
from itertools import groupby

from bot.markup.plain_text import one_line, plain
from bot.markup.text_length import cut, head, units

_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}
_SPECIAL = re.compile(r"\[\d{1,3}\](?:[(:]|\[(?!\d{1,3}\]))?|[\\`*~\[\]<>&]|(?<![^\W_])_|_(?![^\W_])")
_ANY = re.compile(r"[\\`*~\[\]<>&_]")
_STARTS = re.compile(r"^([#+=|:-])|^(\d{1,9})(?=[.)])")
_WORDS = re.compile(r"\s+|\S+")
ADDRESS = re.compile(r"(?i)://|(?<![a-z0-9])www\.|\bmailto:")
"""What Teams takes for an address, or for the beginning of one."""
_BEFORE, _AFTER = "([{<\"'“‘", ".,;:!?)]}>\"'”’"
_CALL = re.compile(r"(?i)<(?=/?at\b)")
_FENCE = re.compile(r"`{3,}")


def without_calls(text: str) -> str:
    """A text for a place where it is literal: what looks like the call of somebody, `<at>`, is parted by a blank."""
    return _CALL.sub("< ", plain(text))


def short_line(text: str, limit: int = 150) -> str:
    """The same on one line, of at most `limit` UTF-16 units: a title, an owner, a section."""
    return cut(without_calls(" ".join(one_line(text).split())), limit)


def escape(text: str) -> str:
    """A text in a paragraph of Markdown; its lines stay lines, and nothing in them is mark-up."""
    return "\n".join(
        map(escape_line_start, inline("\n".join(each.strip() for each in plain(text).split("\n"))).split("\n"))
    )


def escaped(text: str, limit: int) -> str:
    """The same on one line, in at most `limit` UTF-16 units with all that was added counted in."""
    line = " ".join(one_line(text).split())
    whole = escape(line)
    while units(whole) > limit:
        line = head(line, min(units(line) - 1, max(units(line) * limit // units(whole) - 1, 0)))
        whole = f"{escape(line.rstrip())}…"
    return whole


def escape_line_start(line: str) -> str:
    """A line of Markdown that begins with none of what makes it a heading, an item of a list or the like."""
    return _STARTS.sub(lambda found: f"\\{found[1]}" if found[1] else f"{found[2]}\\", line)


def inline(text: str) -> str:
    """A text within a line of Markdown, with the addresses in it as code."""
    words = groupby(_WORDS.findall(text), key=lambda word: bool(ADDRESS.search(word)))
    return "".join("".join(map(_address, group)) if live else _text("".join(group)) for live, group in words)


def _address(word: str) -> str:
    """A word that holds an address, as code; the marks around it stay text."""
    rest = word.lstrip(_BEFORE)
    address = rest.rstrip(_AFTER)
    before, after = word[: len(word) - len(rest)], rest[len(address) :]
    return _text(before) + (code(address) if address else "") + _text(after)


def _text(text: str) -> str:
    return _SPECIAL.sub(_escaped, text)


def _escaped(found: re.Match[str]) -> str:
    special = found[0]
    if len(special) > 1:
        # behind a marker, a bracket would make a link of it, and a colon a definition
        return special if special.endswith("]") else f"{special[:-1]}\\{special[-1]}"
    return _ENTITIES.get(special, f"\\{special}")


def label(text: str) -> str:
    """The label of a link: an address in it stays text, and a marker is none."""
    return _ANY.sub(lambda found: _ENTITIES.get(found[0], f"\\{found[0]}"), " ".join(plain(text).split()))


def code(text: str) -> str:
    """A short piece of code on one line that holds no backtick."""
    return f"`{_CALL.sub('< ', ' '.join(plain(text).splitlines()).replace('`', chr(39)))}`"


def fenced(text: str) -> str:
    """Lines of code. What would end the block within them is parted by blanks."""
    shown = _CALL.sub("< ", _FENCE.sub(lambda found: " ".join(found[0]), plain(text).strip("\n")))
    return f"```\n{shown}\n```"
