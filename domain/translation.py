"""The texts around an answer in the asker's language.

A text stands in the code in English, as a template of `str.format`. `translated` gives it in the language that
`set_language` has named for the task at work; English where a catalogue lacks it, or none was named. The catalogues,
one a language, are `domain/translations/`.
"""

from collections.abc import Mapping
from contextvars import ContextVar
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # the stemmer comes with it, which a command's help does not need
    from domain.text.languages import Language

TRANSLATED: "tuple[Language, ...]" = ("de", "fr", "es", "zh", "ja")
"""Languages besides English that have a catalogue."""

_language: "ContextVar[Language]" = ContextVar("language", default="en")


def set_language(language: "Language") -> None:
    """Sets the language of `translated` from here on in this task, and in the tasks that it begins."""
    _language.set(language)


def translated(template: str, /, **values: object) -> str:
    """The text in the language that is set, with the values in their places."""
    language = _language.get()
    found = catalogue(language).get(template, template) if language in TRANSLATED else template
    return found.format(**{name: _written(value, language) for name, value in values.items()}) if values else found


_GROUPS: "Mapping[Language, str]" = {"de": ".", "fr": "\u202f", "es": "."}
"""What stands between thousands where it is no comma, by the Unicode CLDR."""


class _Grouped(int):
    """A number whose thousands are parted by `between` where a format parts them by commas."""

    between = ","

    def __format__(self, how: str) -> str:
        return int.__format__(self, how).replace(",", self.between)


def _written(value: object, language: "Language") -> object:
    """A value as it is put into a text of that language."""
    if not isinstance(value, int) or language not in _GROUPS:
        return value
    number = _Grouped(value)
    number.between = _GROUPS[language]
    return number


@cache
def catalogue(language: "Language") -> Mapping[str, str]:
    """Translations by their English templates."""
    texts: Mapping[str, str] = import_module(f"domain.translations.{language}").TEXTS
    return texts
