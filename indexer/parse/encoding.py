"""Which encoding a text file is in: what its mark says, UTF-8 where it is that, what it declares, else what fits.

A file that fits nothing is refused: a text in the wrong encoding is worse than none, since nobody sees that it is so.
"""

import codecs
import re

# Encodings of https://encoding.spec.whatwg.org/ by the names that pages declare. Not every one that Python has:
# some of those (idna, punycode) take quadratic time.
CODECS = {f"iso-8859-{part}": f"iso8859_{part}" for part in (*range(2, 12), *range(13, 17))}
CODECS |= {f"windows-{page}": f"cp{page}" for page in (874, *range(1250, 1259))}
CODECS |= dict.fromkeys(("iso-8859-1", "latin1", "us-ascii", "ascii"), "cp1252")
CODECS |= dict.fromkeys(("gb2312", "gbk", "gb18030"), "gb18030")
CODECS |= {"shift_jis": "cp932", "euc-jp": "euc_jp", "iso-2022-jp": "iso2022_jp", "big5": "big5hkscs"}
CODECS |= {"euc-kr": "cp949", "koi8-r": "koi8_r", "koi8-u": "koi8_u", "ibm866": "cp866"}

_OTHER_NAMES = {f"cp{page}": f"windows-{page}" for page in range(1250, 1259)}
_OTHER_NAMES |= {
    "latin-1": "iso-8859-1",
    "latin-2": "iso-8859-2",
    "iso-latin-1": "iso-8859-1",
    "iso8859-1": "iso-8859-1",
}
_OTHER_NAMES |= {"latin2": "iso-8859-2", "latin9": "iso-8859-15", "latin-9": "iso-8859-15", "sjis": "shift_jis"}
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_DECLARED = re.compile(
    rb"(?:charset\s{0,9}=|^[^\n]{0,80}coding[:=]|<\?xml[^>]{0,100}encoding\s{0,9}=)\s{0,9}[\"']?([\w.:-]{1,40})",
    re.IGNORECASE | re.MULTILINE,
)
_LOOKED_AT = 2_048
"""Bytes in which a file declares its encoding, where it does."""
_MEASURED = 100_000
"""Characters by which it is judged whether an encoding fits."""
_CONTROLS = re.compile("[\\x00-\\x08\\x0e-\\x1a\\x1c-\\x1f\\x7f-\\x84\\x86-\\x9f]")
_WESTERN = frozenset("ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÑÒÓÔÕÖØÙÚÛÜÝàáâãäåæçèéêëìíîïñòóôõöøùúûüýÿßŒœŠšŽžŸªºµ")
_INSIDE = re.compile("[A-Za-zÀ-ÿ][¡-©¬-¯±³-¶¸¹»-¿×÷ƒ†‡ˆ˜‰‹›™•][a-zß-ÿ]")
"""A sign inside a word, where Western languages have none: it stands for a letter of another encoding. `n°s` and
`kWh/m²a` are words, though."""
_LONG = re.compile("[À-ÖØ-öø-ÿŒœŠšŽžŸ]{4}")
"""So many accented letters one after the other are those of another alphabet."""
MAX_ACCENTED = 0.4
"""Of the letters of a text in a Western language."""


def decoded(raw: bytes, charset: str = "") -> str | None:
    """The text of `raw` without its mark; None when it is none, or in an encoding that cannot be told.

    charset: what the server says that it is.
    """
    for mark, codec in _MARKS:
        if raw.startswith(mark):
            return _strictly(raw.removeprefix(mark), codec)
    if b"\0" in raw:
        return _wide(raw)
    found = utf8(raw)
    declared = _declared(raw, charset)
    if declared and (found is None or (declared == "iso2022_jp" and b"\x1b" in raw)):
        return _strictly(raw, declared)
    return found if found is not None else _western(raw)


def utf8(raw: bytes) -> str | None:
    """The text of `raw`, None when it is not UTF-8 or holds NUL. No text in another encoding passes for UTF-8, but for
    very short ones."""
    return None if b"\0" in raw else _strictly(raw.removeprefix(codecs.BOM_UTF8), "utf-8")


def _strictly(raw: bytes, codec: str) -> str | None:
    try:
        return raw.decode(codec)
    except UnicodeDecodeError:
        return None


def _declared(raw: bytes, charset: str) -> str:
    """The codec of the encoding that a server or the file itself names; empty where none does."""
    said = [charset, *(found[1].decode("ascii", "replace") for found in _DECLARED.finditer(raw[:_LOOKED_AT]))]
    for each in said:
        name = each.strip().lower()
        name = _OTHER_NAMES.get(name, name)
        if name in CODECS:
            return CODECS[name]
    return ""


def _wide(raw: bytes) -> str | None:
    """UTF-16 without a mark: every other byte of most texts is zero, of all of them that of a line's end."""
    even, odd = raw[0::2].count(0), raw[1::2].count(0)
    if len(raw) % 2 or min(even, odd) * 10 > max(even, odd):
        return None
    text = _strictly(raw, "utf-16-le" if odd > even else "utf-16-be")
    if text is None or _CONTROLS.search(text):
        return None
    seen = text[:_MEASURED]
    printable = sum(each.isprintable() or each.isspace() for each in seen)
    return text if printable >= 0.98 * len(seen) else None


def _western(raw: bytes) -> str | None:
    """Windows' Western encoding, of which Latin-1 is a part, where the text is one of a Western language."""
    text = _strictly(raw, "cp1252")
    if text is None or _CONTROLS.search(text):
        return None
    seen = text[:_MEASURED]
    letters = [each for each in seen if each.isalpha()]
    accented = [each for each in letters if not each.isascii()]
    strange = sum(each not in _WESTERN for each in accented)
    if len(accented) > max(3, MAX_ACCENTED * len(letters)) or strange * 10 > len(accented):
        return None
    return None if _LONG.search(seen) or _INSIDE.search(seen) else text
