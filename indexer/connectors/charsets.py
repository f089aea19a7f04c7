"""Texts whose encoding only the HTTP header tells."""

import codecs

# Encodings of https://encoding.spec.whatwg.org/ by the names that pages declare. Not every one that Python has:
# some of those (idna, punycode) take quadratic time.
_CODECS = {f"iso-8859-{part}": f"iso8859_{part}" for part in (*range(2, 12), *range(13, 17))}
_CODECS |= {f"windows-{page}": f"cp{page}" for page in (874, *range(1250, 1259))}
_CODECS |= dict.fromkeys(("iso-8859-1", "latin1", "us-ascii", "ascii"), "cp1252")
_CODECS |= dict.fromkeys(("gb2312", "gbk", "gb18030"), "gb18030")
_CODECS |= {"shift_jis": "cp932", "euc-jp": "euc_jp", "iso-2022-jp": "iso2022_jp", "big5": "big5hkscs"}
_CODECS |= {"euc-kr": "cp949", "koi8-r": "koi8_r", "koi8-u": "koi8_u", "ibm866": "cp866"}

_MARKS = (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def as_utf8(raw: bytes, media_type: str, charset: str) -> bytes:
    """`raw`, as UTF-8 with a byte order mark when it is a text in another encoding that `charset` names.

    The mark outranks what the text says of itself, as the header did; one that is there already outranks the
    header: https://html.spec.whatwg.org/multipage/parsing.html#determining-the-character-encoding
    """
    codec = _CODECS.get(charset)
    is_text = media_type.startswith("text/") and media_type != "text/xml"
    if not codec or not is_text or raw.startswith(_MARKS):
        return raw
    return raw.decode(codec, errors="replace").encode("utf-8-sig")
