"""Whom or what a follow-up means by `she` or `it`: the person whom the reply before it names, or the thing that the
question before it is about. Pure."""

from agent.questions.exchange import thing_of
from domain.patterns import Linear

_WHO = Linear(r"who|whom|whose|wer|wem|wen|qui|quién(?:es)?", before=r"^|\W", after=r"\W|\Z", ignore_case=True)
_WORD = r"[A-ZÄÖÜÉ][a-zäöüßéèáíóñ]{1,30}"
_NAME = Linear(rf"{_WORD}(?:[ -]{_WORD}){{1,2}}", before=r"^|[^\w-]", after=r"[^\w-]|\Z")
_BEHIND = (":", "–", "-", "(", "is", "by", "ist", "von")
"""What stands before a name, where a reply says who has a role."""
_ROLES = frozenset(
    """
    manager head lead leader director officer warden team department office desk service centre center chief deputy
    assistant contact leitung abteilung the
    """.split()  # noqa: SIM905 - a list of words reads best as one
)
_POSSESSIVE = Linear(r"his|her|their|seine[mnrs]?|ihre[mnrs]?|ihr|sein|su|sa|son", before=r"^|[^\w-]", after=r" \w")
_PERSONAL = Linear(r"he|she|him|her|they|them|er|sie|ihn|ihm|ella|él|elle", before=r"^|[^\w-]", after=r"[^\w-]|\Z")

_THING = Linear(r"its?|they|them|their", before=r"^|[^\w-]", after=r"[^\w-]|\Z", ignore_case=True)


def with_the_person(text: str, before: str, reply: str) -> str:
    """A question with the name of the person whom its pronoun means; empty where the question before it asked for
    nobody, or the reply to it names nobody with two names.

    reply: as it was shown, with the marks of citations.
    """
    possessive = _POSSESSIVE.search(text)
    pronoun = possessive or _PERSONAL.search(text)
    name = _named(reply.partition("[1]")[0], before) if pronoun and _WHO.search(before) else ""
    if pronoun is None or not name:
        return ""
    mark = "'s" if possessive and possessive[0] in {"his", "her", "their"} else ""
    return f"{text[: pronoun.start()]}{name}{mark}{text[pronoun.end() :]}"


def with_the_thing(text: str, before: str) -> str:
    """A question with what the one before it is about in place of `it` or `they`; empty where there is none of both."""
    pronoun = _THING.search(text)
    # of "the walrus, and who paints it", the walrus is meant
    thing = thing_of(before) if pronoun and not thing_of(text[: pronoun.start()]) else ""
    if pronoun is None or not thing:
        return ""
    mark = "'s" if pronoun[0].lower() in {"its", "their"} else ""
    return f"{text[: pronoun.start()]}{thing}{mark}{text[pronoun.end() :]}"


def _named(text: str, before: str) -> str:
    """The name that stands behind a role, or else the first one."""
    asked = before.casefold()
    names = [
        match
        for match in _NAME.finditer(text)
        if _ROLES.isdisjoint(match[0].casefold().replace("-", " ").split()) and match[0].casefold() not in asked
    ]
    behind = [match for match in names if text[: match.start()].rstrip(" *_").endswith(_BEHIND)]
    return next((match[0] for match in [*behind, *names]), "")
