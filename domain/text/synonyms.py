"""Words that questions use for what documents call otherwise. Pure.

The groups that come with the product are small on purpose: each holds words of one meaning in the language of companies
(who owns, what depends on, what it costs). They widen what a passage is taken to speak of; they change no ranking. The
groups of an operator do both.
"""

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache

from domain.patterns import LinearRegex
from domain.text.feasts import FEASTS
from domain.text.german import glossed
from domain.text.languages import language_of
from domain.text.tokens import Analyzer, Stemming

_GROUPS = """
own owns owned owner owners maintainer maintained responsible belongs lead
depend depends dependency dependencies need needs require requires
cost costs price prices fee charge cheap cheaper cheapest expensive
approve approves approval sign-off authorise authorize
mention mentions mentioned names
fast quick quickly within faster fastest quicker
large larger largest big bigger biggest size
lead leads led leading
fly flies flight flights flown
lose loses lost losing
listen listens port ports
fix fixed fixes repair repairs repaired solved resolved
change changes changed
choose chose chosen decided decision decide decides
reject rejected refused
pay pays paid payment unpaid
salary wage pay
buy buys purchase purchases order ordered
claim claims submit submitted hand handed
holiday holidays vacation leave
illness sick sickness ill
job role position
phone telephone mobile
laptop notebook computer
password passphrase credential credentials
error fault failure failed
outage incident downtime
deploy deployment deployments rollout roll-out release
broken defective faulty
allowed permitted may
forbidden prohibited
begin begins start starts started
end ends finish stops
expire expires valid validity
keep kept retain retained retention stored
delete deleted removed erased
find found located
founded founders founder
colleague colleagues employee employees staff
boss manager head
client clients customer customers
kept stored
picture image photo
max maximum most highest largest
min minimum least lowest
register registers registered
trip trips travel travels journey journeys
shorten shortened shorter shortens reduce reduced reduces lower lowered cut
raise raised raises rise rises increase increased
one 1
two 2
three 3
four 4
five 5
six 6
seven 7
eight 8
nine 9
ten 10
car vehicle
kosten kostet kostete preis preise preisen gebühr gebühren teuer
"""


_PHRASES = (
    ("SMS", "text message"),
    ("SSO", "single sign-on"),
    ("MFA", "2FA", "two-factor authentication", "multi-factor authentication"),
    ("PTO", "annual leave", "paid leave"),
    ("WLAN", "Wi-Fi", "wifi"),
    ("FAQ", "frequently asked questions"),
    *FEASTS,
)
"""Abbreviations and what they stand for; feast days and their dates."""


@dataclass(frozen=True, slots=True)
class Synonyms:
    """What is another word for what."""

    groups: tuple[tuple[str, ...], ...] = ()
    """An operator's: words or phrases of one meaning, of any language."""

    def widened(self, tokens: Collection[str], stemming: Stemming) -> frozenset[str]:
        """The tokens of a text, and those that mean the same as one of them or as some of them together."""
        held = frozenset(tokens)
        known = _known(stemming)
        wider = held.union(*(known[token] for token in held if token in known))
        for group in _own((*_PHRASES, *self.groups), stemming):
            if any(member <= held for member in group):
                wider = wider.union(*group)
        return wider

    def rewritten(self, question: str) -> str:
        """Other words for a question, to search with as well: what an operator has for words in it, and a German one in
        English as far as the glossary goes. Empty where there are none."""
        others = [other for group in (*_PHRASES, *self.groups) for other in _others(question, group)]
        in_english = glossed(question) if language_of(question) == "de" else question
        found = ", ".join([in_english, *others])
        return found if found != question else ""


NO_SYNONYMS = Synonyms()
"""Those that come with the product alone."""


def _others(question: str, group: Iterable[str]) -> Iterator[str]:
    """The members of a group that a question does not hold; none where it holds no member."""
    held = {member: _whole(member).search(question) for member in group}
    if any(held.values()):
        yield from (member for member, there in held.items() if not there)


@lru_cache(maxsize=4_096)
def _whole(member: str) -> LinearRegex:
    return LinearRegex(re.escape(member), before=r"^|\W", after=r"\W|\Z", ignore_case=True)


@lru_cache(maxsize=8)
def _own(groups: tuple[tuple[str, ...], ...], stemming: Stemming) -> tuple[tuple[frozenset[str], ...], ...]:
    analyzer = Analyzer(stemming)
    return tuple(tuple(frozenset(analyzer.tokens(member)) for member in group) for group in groups)


@cache
def _known(stemming: Stemming) -> dict[str, frozenset[str]]:
    analyzer = Analyzer(stemming)
    groups = [frozenset(analyzer.tokens(line)) for line in _GROUPS.strip().splitlines()]
    found: dict[str, frozenset[str]] = {}
    for group in groups:
        for token in group:
            found[token] = found.get(token, frozenset()) | group
    return found
