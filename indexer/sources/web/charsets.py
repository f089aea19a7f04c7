"""Texts whose encoding only the HTTP header tells."""

import codecs

from indexer.parse.encoding import CODECS

_MARKS = (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def as_utf8(raw: bytes, media_type: str, charset: str) -> bytes:
    """`raw`, as UTF-8 with a byte order mark when it is a text in another encoding that `charset` names.

    The mark outranks what the text says of itself, as the header did; one that is there already outranks the
    header: https://html.spec.whatwg.org/multipage/parsing.html#determining-the-character-encoding
    """
    codec = CODECS.get(charset)
    is_text = media_type.startswith("text/") and media_type != "text/xml"
    if not codec or not is_text or raw.startswith(_MARKS):
        return raw
    return raw.decode(codec, errors="replace").encode("utf-8-sig")
