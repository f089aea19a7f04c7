"""Addresses that a reader sees in a text and that do not stand in it so: with escapes, entities, wide letters, or signs
without width between. Pure."""

import html
import unicodedata

from domain.patterns import LinearRegex

_ADDRESS = LinearRegex(r"\S*(?://|www\.|[^\W_]\.[^\W\d_][^\W_])\S*")
_ESCAPE = LinearRegex(r"\\([!-/:-@\[-`{-~])")


def hidden_addresses(text: str) -> list[str]:
    """The addresses and hosts in what is shown of a text, without those that are there as they are."""
    shown = unicodedata.normalize("NFKC", _ESCAPE.sub(lambda found: found[1], html.unescape(text)))
    shown = "".join(sign for sign in shown if unicodedata.category(sign) != "Cf")
    plain = set(_ADDRESS.findall(text))
    return [each for each in _ADDRESS.findall(shown) if each not in plain]
