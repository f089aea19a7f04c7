"""Ways to write a secret so that a plain pattern misses it."""

import base64
import random
import re
from urllib.parse import quote

from tests.masking.leaks.template import transform

Shown = tuple[str, tuple[str, ...]]


def whole(shown: str) -> Shown:
    """A value that must be gone as it is shown."""
    return shown, (shown,)


def cut(rng: random.Random, plain: str, mark: str, times: int = 1) -> Shown:
    """Put a mark into the value; the pieces of six characters and more must be gone."""
    size = len(plain) // (times + 1)
    parts, at = [], 0
    for index in range(times):
        end = size * (index + 1) + rng.randint(0, max(0, min(3, size - 7)))
        parts.append(plain[at:end])
        at = end
    parts.append(plain[at:])
    return mark.join(parts), tuple(part for part in parts if len(part) >= 6)


def cutter(name: str, mark: str, times: int = 1) -> None:
    """Register a transform that puts a mark into the value."""

    def apply(rng: random.Random, plain: str) -> Shown:
        return cut(rng, plain, mark, times)

    transform(name)(apply)


cutter("zwsp", "\u200b", 2)
cutter("zwone", "\u200b")
cutter("zwnj", "\u200c", 2)
cutter("wordjoin", "\u2060", 2)
cutter("bom", "\ufeff")
cutter("shy", "\u00ad", 2)
cutter("shyent", "&shy;")
cutter("zwspent", "&#8203;")
cutter("wbr", "<wbr>", 2)
cutter("br", "\n")
cutter("brspace", "\n    ")
cutter("brquote", "\n> ")
cutter("brcrlf", "\r\n")
cutter("brshell", "\\\n")
cutter("qp", "=\n")
cutter("concat", '" + "')
cutter("concatpy", '"\n    "')
cutter("concatsh", "''")
cutter("tick", "`")
cutter("bold", "**")
cutter("html", "</b>")
cutter("ansi", "\x1b[0m")
cutter("space", " ")


@transform("boldfirst")
def bold_first(rng: random.Random, plain: str) -> Shown:
    """The first characters of a token in bold."""
    return f"**{plain[:4]}**{plain[4:]}", (plain[4:],)


@transform("mdescape")
def markdown_escape(rng: random.Random, plain: str) -> Shown:
    """Markdown escapes of underscores and dashes."""
    parts = re.split(r"([_-])", plain)
    shown = "".join("\\" + part if part in "_-" and part else part for part in parts)
    return shown, tuple(part for part in parts if len(part) >= 12)


@transform("b64")
def to_base64(rng: random.Random, plain: str) -> Shown:
    """Base64."""
    return whole(base64.b64encode(plain.encode()).decode())


@transform("b64nopad")
def to_base64_url(rng: random.Random, plain: str) -> Shown:
    """Base64url without padding."""
    return whole(base64.urlsafe_b64encode(plain.encode()).rstrip(b"=").decode())


@transform("b64lines")
def to_base64_lines(rng: random.Random, plain: str) -> Shown:
    """Base64 broken into lines of 32 characters."""
    text = base64.b64encode(plain.encode()).decode()
    lines = [text[at : at + 32] for at in range(0, len(text), 32)]
    return "\n".join(lines), tuple(line for line in lines if len(line) >= 6)


@transform("b64twice")
def to_base64_twice(rng: random.Random, plain: str) -> Shown:
    """Base64 of base64."""
    return whole(base64.b64encode(base64.b64encode(plain.encode())).decode())


@transform("hex")
def to_hex(rng: random.Random, plain: str) -> Shown:
    """Hexadecimal digits."""
    return whole(plain.encode().hex())


@transform("hexescape")
def to_hex_escape(rng: random.Random, plain: str) -> Shown:
    """C-like escapes of each character."""
    return whole("".join(f"\\x{ord(char):02x}" for char in plain))


@transform("uescape")
def to_unicode_escape(rng: random.Random, plain: str) -> Shown:
    """JSON escapes of each character."""
    return whole("".join(f"\\u{ord(char):04x}" for char in plain))


@transform("url")
def to_url(rng: random.Random, plain: str) -> Shown:
    """Percent encoding of what must be encoded."""
    return whole(quote(plain, safe=""))


@transform("urlall")
def to_url_all(rng: random.Random, plain: str) -> Shown:
    """Percent encoding of every character."""
    return whole("".join(f"%{ord(char):02X}" for char in plain))


@transform("urltwice")
def to_url_twice(rng: random.Random, plain: str) -> Shown:
    """Percent encoding, twice."""
    return whole(quote(quote(plain, safe=""), safe=""))


@transform("ent")
def to_entities(rng: random.Random, plain: str) -> Shown:
    """Decimal HTML entities."""
    return whole("".join(f"&#{ord(char)};" for char in plain))


@transform("enthex")
def to_hex_entities(rng: random.Random, plain: str) -> Shown:
    """Hexadecimal HTML entities."""
    return whole("".join(f"&#x{ord(char):x};" for char in plain))


@transform("entsome")
def to_some_entities(rng: random.Random, plain: str) -> Shown:
    """Entities for signs only, as HTML exports write them."""
    return whole(re.sub(r"[^A-Za-z0-9 ]", lambda match: f"&#{ord(match[0])};", plain))


@transform("full")
def to_full_width(rng: random.Random, plain: str) -> Shown:
    """Full-width forms."""
    return whole("".join(chr(ord(char) + 0xFEE0) if "!" <= char <= "~" else char for char in plain))


@transform("fulldigits")
def to_full_digits(rng: random.Random, plain: str) -> Shown:
    """Full-width digits and dashes as Japanese forms have them."""
    return whole("".join(chr(ord(char) + 0xFEE0) if char in "0123456789-" else char for char in plain))


@transform("mono")
def to_mono(rng: random.Random, plain: str) -> Shown:
    """Mathematical monospace letters and digits."""

    def one(char: str) -> str:
        if "a" <= char <= "z":
            return chr(0x1D68A + ord(char) - ord("a"))
        if "A" <= char <= "Z":
            return chr(0x1D670 + ord(char) - ord("A"))
        return chr(0x1D7F6 + int(char)) if char in "0123456789" else char

    return whole("".join(map(one, plain)))


@transform("hyphen")
def to_other_hyphen(rng: random.Random, plain: str) -> Shown:
    """Non-breaking hyphens instead of plain ones."""
    return whole(plain.replace("-", "\u2011"))


@transform("endash")
def to_en_dash(rng: random.Random, plain: str) -> Shown:
    """En dashes instead of plain ones, as word processors write them."""
    return whole(plain.replace("-", "\u2013"))
