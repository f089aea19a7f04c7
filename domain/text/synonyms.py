"""Words that questions use for what documents call otherwise. Pure.

The groups are small on purpose: each holds words of one meaning in the language of companies (who owns, what depends
on, what it costs). They widen what a passage is taken to speak of; they change no ranking.
"""

from collections.abc import Collection
from functools import cache

from domain.text.tokens import Analyzer, Stemming

_GROUPS = """
own owns owned owner owners maintainer maintained responsible belongs lead
depend depends dependency dependencies need needs require requires
cost costs price prices fee charge
approve approves approval sign-off authorise authorize
mention mentions mentioned names
fast quick quickly within
listen listens port ports
fix fixed fixes repair repairs repaired solved resolved
change changes changed
choose chose chosen decided decision decide decides
reject rejected refused
pay pays paid payment
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
car vehicle
"""


@cache
def _known(stemming: Stemming) -> dict[str, frozenset[str]]:
    analyzer = Analyzer(stemming)
    groups = [frozenset(analyzer.tokens(line)) for line in _GROUPS.strip().splitlines()]
    found: dict[str, frozenset[str]] = {}
    for group in groups:
        for token in group:
            found[token] = found.get(token, frozenset()) | group
    return found


def with_synonyms(tokens: Collection[str], stemming: Stemming) -> frozenset[str]:
    """The tokens, and those that mean the same as one of them."""
    known = _known(stemming)
    return frozenset(tokens).union(*(known[token] for token in tokens if token in known))
