"""Finds text that is addressed to a machine: instructions that somebody put into a document for a model to obey. Pure.

It knows wordings, not intentions: what it finds is marked for people to look at and kept from models; what it does not
find is still only data (agent.prompts.text). Every pattern takes time linear in the text.
"""

import unicodedata
from base64 import b64decode
from collections.abc import Iterator, Mapping
from contextlib import suppress
from itertools import islice

from domain.injection.constructions import construction_in
from domain.injection.english import ADDRESS, IMAGE, OVERRIDE, REPLY, REVEAL, ROLE, SEND
from domain.injection.other_languages import EAST_ASIAN, GERMAN, ROMANCE, SLAVIC
from domain.injection.protocols import TEMPLATE
from domain.patterns import LinearRegex

INJECTION_REVISION = 6
"""Raised whenever other texts are found than before, so that what is indexed is looked at again."""

HIDDEN = "hidden text"
"""What operators read where signs that nobody sees carry a text."""
LIKELY = "reads like an order to a machine"
"""What they read where no rule knows the text, but it resembles those that the classifier learned from."""

_FLAG = LinearRegex("\U0001f3f4[\U000e0020-\U000e007e]{1,8}\U000e007f")
"""The flag of a part of a country is written with tag characters."""
_UNSEEN = LinearRegex(
    r"[\x{E0020}-\x{E007E}]{4}|[\x{E0100}-\x{E01EF}\x{FE00}-\x{FE0E}]{4}|[\x{200B}-\x{200D}\x{2060}-\x{2064}\x{FEFF}]{8}"
    r"|[\x{202D}\x{202E}][^\x{202C}\n]{4}"
)
"""Runs of tags, of variants and of signs without width, and writing that is turned round: no language needs them."""

_MARKS = str.maketrans("_", " ", "*`~\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180e\u3164\uffa0")
"""Emphasis, and signs that are drawn as nothing without being of the category of such signs."""
_SPACED = LinearRegex(r"[^\W\d_](?:[ .\-][^\W\d_]){2,}", before=r"^|\s", after=r"\s|\Z")
_BETWEEN = str.maketrans("", "", " .-")
_MIXED = LinearRegex(r"[a-z][\u0370-\u04ff]|[\u0370-\u04ff][a-z]")
_ALIKE = str.maketrans("аеорсхуіјѕԁһктмвнαεορτυικνγ", "aeopcxyijsdhktmbhaeoptuikvy")
"""Letters of other scripts that look like Latin ones."""

_NOT_FORGOTTEN = LinearRegex(
    "(?:do not|don['’]t|never) forget|vergiss nicht|vergessen sie nicht|n['’]oublie[rz]? pas|no olvides?"
    "|non dimenticare",
    before=r"^|\W",
    after=r"\W|\Z",
)
"""What is to be kept in mind is not to be dropped."""

_BASE64 = LinearRegex(r"[A-Za-z0-9+/]{24}[A-Za-z0-9+/]*", before=r"^|[^A-Za-z0-9+/]")
MAX_DECODED = 50
"""Runs of base64 of one text that are read."""

_ABOUT = LinearRegex(
    r"(?:prompt|instruction|indirect)[- ]?injections?|prompt[- ]injektion\w*|jailbreak(?:s|ing)?|attackers?|adversar\w+"
    r"|malicious|red[- ]team\w*|angreifer\w*|einschleus\w*|eingeschleust\w*",
    before=r"^|\W",
    after=r"\W|\Z",
)
_REPORTED = LinearRegex(
    r"(?:ask|tell|instruct|order|command|trick|persuad|convinc|caus|get|forc|tempt)(?:s|e|es|ed|ing|ting)? (?:it|them"
    r"|(?:the|an?|your|our) (?:[\w-]+ )?(?:model|assistant|bot|chatbot|ai|llm|agent)s?) (?:to|into) [^.!?\n]{1,200}"
)
"""What somebody tells of others who give orders."""
_QUOTED = LinearRegex(
    "```[^`]{1,600}```|`[^`\\n]{1,200}`|“[^”\\n]{1,200}”|„[^“”\\n]{1,200}[“”]|«[^»\\n]{1,200}»|‘[^’\\n]{1,200}’"
    '|"[^"\\n]{1,200}"'
)


RULES: Mapping[str, tuple[LinearRegex, ...]] = {
    "an order to ignore instructions": (OVERRIDE,),
    "marks of a model's protocol": (TEMPLATE,),
    "a role for a model": (ROLE,),
    "words to a machine": (ADDRESS,),
    "an order on replies": (REPLY,),
    "a request for the prompt": (REVEAL,),
    "an order to send data": (SEND, IMAGE),
    "an order in another language": (GERMAN, ROMANCE, SLAVIC, EAST_ASIAN),
}
"""What operators read of a finding, and the patterns that say so."""


def injection_in(text: str) -> str:
    """What sort of text addressed to a machine a text holds, in words for an operator; empty: none was found.

    In a text that speaks of such attacks, what stands in quotation marks or as code is an example and does not count,
    and neither does what somebody is said to ask a model for. What base64 hides counts as if it stood there.
    """
    from domain.injection.learned import reads_like_an_order  # brings NumPy along

    read = _read(text)
    if _UNSEEN.search(_FLAG.sub(" ", text)):
        return HIDDEN
    if found := next(filter(None, map(_sort_of, read)), ""):
        return found
    return LIKELY if any(map(reads_like_an_order, read)) else ""


def _read(text: str) -> tuple[str, ...]:
    """What is read of a text: itself, and what base64 hides in it."""
    hidden = "\n".join(_decoded(text))
    return (normalised(text), normalised(hidden)) if hidden else (normalised(text),)


def normalised(text: str) -> str:
    """A text as the rules and the classifier read it."""
    plain = unicodedata.normalize("NFKC", _FLAG.sub(" ", text)).casefold()
    return _canonical(_REPORTED.sub(" ", _QUOTED.sub(" ", plain)) if _ABOUT.search(plain) else plain)


def _decoded(text: str) -> Iterator[str]:
    """The first texts that stand in base64 in a text."""
    for found in islice(_BASE64.finditer(text), MAX_DECODED):
        with suppress(ValueError):
            yield b64decode(found[0] + "=" * (-len(found[0]) % 4)).decode()


def _sort_of(plain: str) -> str:
    known = next((sort for sort, rules in RULES.items() if any(each.search(plain) for each in rules)), "")
    return known or construction_in(plain)


def _canonical(text: str) -> str:
    """A text in small letters as the rules read it: without signs that are not seen and marks of emphasis, with single
    blanks, letters of one script in each word, and spaced letters joined."""
    if not text.isascii():
        text = "".join(sign for sign in text if unicodedata.category(sign) != "Cf")
        if _MIXED.search(text):
            text = text.translate(_ALIKE)
    joined = _SPACED.sub(lambda found: found[0].translate(_BETWEEN), text.translate(_MARKS))
    lines = "\n".join(line for each in joined.splitlines() if (line := " ".join(each.split())))
    return _NOT_FORGOTTEN.sub("remember", lines)
