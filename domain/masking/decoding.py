"""One layer of encoding taken off: what is written in base64, hexadecimal, URL encoding, HTML entities or escapes."""

import base64
import binascii
import html
import re
from collections.abc import Iterator
from urllib.parse import unquote

from domain.masking.re2_patterns import Re2Pattern
from domain.masking.text_views import View, edited
from domain.patterns import Place, Subject

MAX_RUN_CHARACTERS = 100_000
"""Characters of one encoded run that are looked into."""

_BASE64 = Re2Pattern(r"[A-Za-z0-9+/_-]{22,}={0,2}")
_BASE64_LINES = Re2Pattern(r"[A-Za-z0-9+/_-]{22,}(?:(?:\\n|\r?\n[ \t>]*)[A-Za-z0-9+/_-]{4,})+={0,2}")
_HEX = Re2Pattern(r"(?:0x)?(?:[0-9a-fA-F]{2}){12,}|(?:[0-9a-fA-F]{2}[ :]){11,}[0-9a-fA-F]{2}|(?:\\x[0-9a-fA-F]{2}){8,}")
_ESCAPED = re.compile(
    r"(?:%[0-9A-Fa-f]{2})+|(?:&(?:#\d{2,7}|#[xX][0-9A-Fa-f]{2,6}|amp|lt|gt|quot|apos|nbsp|num|excl|dollar|percnt|commat|colon|equals|sol|lowbar|ast|plus|period|comma|hyphen|shy|zwj|zwnj|ZeroWidthSpace);)+|(?:\\u[0-9a-fA-F]{4})+|(?:\\x[0-9a-fA-F]{2})+|(?<!\\)\\[nrt]|\\{1,4}(?=[\"'/&=_*~#.!`\[\]+-])"
)


ESCAPED = (
    r"%[0-9A-Fa-f]{2}|&(?:#\d{2}|#[xX][0-9A-Fa-f]|[a-z]{2,6};)|\\(?:[ux][0-9a-fA-F]{2}|[nrt\\\"'/&=_*~#.!`\[\]+-])"
)


def unescaped(text: str) -> View:
    """The text with URL encoding, HTML entities and backslash escapes read; a change where `ESCAPED` is in it."""
    return edited(text, ((match.span(), _read(match)) for match in _ESCAPED.finditer(text)))


def _read(match: re.Match[str]) -> str:
    found = match[0]
    if found[0] == "%":
        return unquote(found, errors="replace")
    if found[0] == "&":
        return html.unescape(found).replace("\xad", "").replace("\u200c", "").replace("\u200d", "")
    if found[1:2] == "u":
        return "".join(chr(int(each, 16)) for each in found.split("\\u")[1:]).encode(errors="replace").decode()
    if found[1:2] == "x":
        return bytes.fromhex(found.replace("\\x", "")).decode(errors="replace")
    return _CONTROLS.get(found, "")


_CONTROLS = {"\\n": "\n", "\\r": "\r", "\\t": "\t"}


def decoded(text: Subject) -> Iterator[tuple[Place, str]]:
    """Runs of base64 or hexadecimal that hold readable text, with that text."""
    for match in _HEX.every(text):
        digits = (
            match.group()[:MAX_RUN_CHARACTERS].replace("0x", "").replace("\\x", "").replace(" ", "").replace(":", "")
        )
        if found := _readable(bytes.fromhex(digits[: len(digits) // 2 * 2])):
            yield match.span(), found
    for pattern in (_BASE64, _BASE64_LINES):
        for match in pattern.every(text):
            run = "".join(match.group()[:MAX_RUN_CHARACTERS].replace("\\n", "").replace(">", "").split())
            run = run.rstrip("=").replace("-", "+").replace("_", "/")
            if found := _from_base64(run):
                yield match.span(), found


def _from_base64(run: str) -> str:
    run = run[: len(run) - (len(run) % 4 == 1)]
    if len(run) < 16:
        return ""
    try:
        return _readable(base64.b64decode(run + "=" * (-len(run) % 4)))
    except (binascii.Error, ValueError):
        return ""


def _readable(raw: bytes) -> str:
    try:
        text = raw.decode()
    except UnicodeDecodeError:
        return ""
    return text if len(text) >= 8 and all(char.isprintable() or char in "\r\n\t" for char in text) else ""
