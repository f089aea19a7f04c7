"""Whom or what a follow-up means by `she` or `it`: the person whom the reply before it names, or the thing that the
question before it is about. Only where one alone can be meant. Pure."""

from domain.patterns import LinearRegex
from domain.text.languages import language_of

_WHO = LinearRegex(r"who|whom|whose|wer|wem|wen", before=r"^|\W", after=r"\W|\Z", ignore_case=True)
_WORD = r"[A-ZÄÖÜÉ][a-zäöüßéèáíóñ]{1,30}"
_NAME = LinearRegex(rf"{_WORD}(?:[ -]{_WORD}){{1,2}}", before=r"^|[^\w-]", after=r"[^\w-]|\Z")
_ROLES = frozenset(
    """
    manager head lead leader director officer warden team department office desk service centre center chief deputy
    assistant contact leitung abteilung the guests hotel street
    """.split()  # noqa: SIM905 - a list of words reads best as one
)
"""Words of titles: a name of a person holds none of them."""
_OPENING = frozenset("ask call please see since on in at from for".split())  # noqa: SIM905 - a list of words reads best as one
"""Words with which a sentence begins: of what follows, a part may be a name."""
_POSSESSIVE = LinearRegex(r"his|her|seine[mnrs]?|ihre[mnrs]?", before=r"^|[^\w-]", after=r" \w")
_PERSONAL = LinearRegex(r"he|she|him|her", before=r"^|[^\w-]", after=r"[^\w-]|\Z")
_THING = LinearRegex(r"[Ii]ts?", before=r"[^\w-]", after=r"[^\w-]|\Z")
"""No first word, which is often a dummy, nor IT."""
_BEFORE = frozenset(
    """
    what when where who how why which is are was were do does did can could may might must should will would has have
    had and or but also about the a of to at in on for from with long much many often far i we you one
    wie was wann wo wer ist sind hat haben kann darf muss soll lautet lauten und
    """.split()  # noqa: SIM905 - a list of words reads best as one
)
"""Words that name nothing."""
_TO_DO = LinearRegex(r"it(?: [\w-]{1,20}){0,3} to ", before=r"^|\W", ignore_case=True)
"""A dummy: `is it safe to`, `does it take to`."""


def with_the_person(text: str, before: str, reply: str) -> str:
    """A question with the name of the person whom its pronoun means; empty where the question before it asked for
    nobody, the reply to it names nobody with two names, or several, or the question itself names somebody first.

    reply: as it was shown, with the marks of citations.
    """
    possessive = _POSSESSIVE.search(text)
    pronoun = possessive or _PERSONAL.search(text)
    if pronoun is None or not _WHO.search(before) or _names_before(text[: pronoun.start()]):
        return ""
    asked = before.casefold()
    found = [match[0] for match in _NAME.finditer(reply.partition("[1]")[0])]
    plain = [name for name in found if _ROLES.isdisjoint(name.casefold().replace("-", " ").split())]
    names = {name for name in plain if name.casefold() not in asked}
    if len(names) != 1 or any(name.split()[0].casefold() in _OPENING for name in found):
        return ""
    mark = "'s" if possessive and possessive[0] in {"his", "her"} else ""
    return f"{text[: pronoun.start()]}{names.pop()}{mark}{text[pronoun.end() :]}"


def with_the_thing(text: str, thing: str) -> str:
    """A question with the thing that was spoken of in place of `it`; empty where it has no such word, names something
    before it, or may mean nothing by it. English alone: in other languages, pronouns agree with what they stand for."""
    pronoun = _THING.search(text)
    if not thing or pronoun is None or _TO_DO.search(text) or language_of(text) != "en":
        return ""
    if _names_before(text[: pronoun.start()], verbs=1):
        return ""
    mark = "'s" if pronoun[0].lower() == "its" else ""
    return f"{text[: pronoun.start()]}{thing}{mark}{text[pronoun.end() :]}"


def _names_before(text: str, verbs: int = 0) -> bool:
    """Whether a pronoun may stand for something that is named before it in its own question. verbs: other words that
    may stand there."""
    words = "".join(letter if letter.isalnum() else " " for letter in text.casefold()).split()
    return sum(word not in _BEFORE for word in words) > verbs
