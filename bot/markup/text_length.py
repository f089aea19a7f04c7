"""How long a text is, as chat platforms count. Pure.

They do not say what their "characters" are. Here they are UTF-16 units, the stricter way to count: a character outside
the Basic Multilingual Plane, such as most emoji, is two of them.
"""


def units(text: str) -> int:
    """The length of a text in UTF-16 units."""
    return len(text) + sum(char > "\uffff" for char in text)


def head(text: str, limit: int) -> str:
    """The longest beginning of a text of at most `limit` UTF-16 units that splits no character."""
    return text[:limit].encode("utf-16-le", "replace")[: 2 * limit].decode("utf-16-le", "ignore")


def cut(text: str, limit: int) -> str:
    """A text of at most `limit` UTF-16 units; one that is longer ends with an ellipsis."""
    return text if units(text) <= limit else head(text, limit - 1).rstrip() + "…"


def cut_between_words(text: str, limit: int) -> str:
    """The same, cut at the end of a word where there is one in its second half."""
    if units(text) <= limit:
        return text
    fits = head(text, limit - 1)
    whole = fits if text[len(fits)].isspace() else fits.rpartition(" ")[0]
    return (whole if 2 * len(whole) > len(fits) else fits).rstrip(" –-:,;“(") + "…"
