"""Identifiers in texts: names with digits, such as those of tickets, parts, versions and errors. Pure."""

from collections.abc import Iterable

from domain.patterns import LinearRegex

_CODE = LinearRegex(r"[^\W_]+(?:[-._][^\W_]+)*", before=r"^|[^\w.]", after=r"\W|\Z")
_ORDINAL = LinearRegex(r"\d+(?:st|nd|rd|th|s|h|min|ms|am|pm|x|km|kg|gb|mb|tb)", ignore_case=True)


def code_keys(texts: Iterable[str]) -> frozenset[str]:
    """The identifiers in texts, such as `TW-D3`, `v3`, `INC-240` or `4.6`, each in one way of writing."""
    found = set()
    for text in texts:
        for match in _CODE.finditer(text):
            code = match[0]
            digits, letters = any(map(str.isdigit, code)), any(map(str.isalpha, code))
            if digits and (letters or ("." in code and code.count(".") <= 3)) and not _ORDINAL.fullmatch(code):
                found.add(code.casefold().replace("_", "-").replace("-", ""))
    return frozenset(found)
