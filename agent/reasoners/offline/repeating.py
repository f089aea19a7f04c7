"""Follow-ups for which what the last reply quoted would be quoted again. Pure."""

from collections.abc import Sequence, Set

from agent.questions.expected import expected
from agent.questions.follow_up_substitution import asks
from agent.reasoners.offline.quoting import ScoredUnit
from domain.answers import Turn
from domain.patterns import LinearRegex
from domain.search import Passage
from domain.text.languages import language_of
from domain.text.tokens import Analyzer

_PLAIN = Analyzer("none")
_SAYS_NOTHING = frozenset(
    """
and or but also then there here that this these those it its they them their he him his she her hers one ones which
what who whom whose when where why how about not no do does did is are was were will would can could may must should
the a an of to be been have has had get gets got long much many often far
und oder aber auch dann dort da hier das dies diese es er ihn ihm sein seine sie ihr ihre ihnen welche welcher welches
davon was wer wem wen wann wo warum wieso wie mit ist sind war hat haben der die den dem ein eine nicht
    """.split()  # noqa: SIM905 - a list of words reads best as one
)
"""Words of follow-ups that add nothing."""
_DATES = LinearRegex(
    r"jan\w*|feb\w*|march|april|may|june?|july?|august|sept\w*|oct\w*|nov\w*|dec\w*|märz|mai|juni|juli|okt\w*|dez\w*"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)days?",
    before=r"^|\W",
    after=r"\W|\Z",
    ignore_case=True,
)
_PERSON = LinearRegex(r"[A-ZÄÖÜ]\w+(?: |-)[A-ZÄÖÜ]\w+", before=r"^|\W")
_MARK = LinearRegex(r" ?\[\d{1,3}\]")


def that_say_more(
    chosen: Sequence[ScoredUnit],
    scored: Sequence[ScoredUnit],
    passages: Sequence[Passage],
    follow_up: str,
    history: Sequence[Turn],
) -> list[ScoredUnit]:
    """What is quoted for a follow-up, where some of it stands in the last reply and none holds anything of what is
    asked, neither a word that the follow-up adds nor, where it is a question word alone, a value of that kind: instead,
    the best unit of the same document that does, if any; and a unit of it that holds more of the added words by itself.
    Else what was chosen.

    scored: all units, best first. follow_up: its own words; empty where it is none. history: the turns before.
    """
    if not follow_up or not chosen or not history:
        return list(chosen)
    added = set(_PLAIN.tokens(follow_up)) - _SAYS_NOTHING
    said = " ".join(_MARK.sub("", history[-1].reply).split())
    if language_of(said) != language_of(follow_up if added else said):
        return list(chosen)
    repeated = any(" ".join(each.unit.words.split()) in said for each in chosen)
    told = {passages[each.unit.passage].document_id for each in chosen}
    near = [each for each in scored if passages[each.unit.passage].document_id in told]
    if repeated and added and asks(follow_up) and (more := _of_more_words(chosen, near, added)):
        return more
    if not repeated or any(_answers(each, follow_up, added) for each in chosen):
        return list(chosen)
    return [each for each in near if added and _answers(each, follow_up, added)][:1]


def _of_more_words(chosen: Sequence[ScoredUnit], near: Sequence[ScoredUnit], added: Set[str]) -> list[ScoredUnit]:
    """The best unit with most of the added words, without its heading, where that is more than any chosen one has."""
    held = {each: len(_words_of(" ".join(added)) & _words_of(each.unit.words)) for each in (*chosen, *near)}
    best = max(near, key=lambda each: held[each])
    return [best] if held[best] > max(held[each] for each in chosen) else []


def _words_of(text: str) -> set[str]:
    return {*_PLAIN.tokens(text), *Analyzer().tokens(text)} - _SAYS_NOTHING


def _answers(scored: ScoredUnit, follow_up: str, added: Set[str]) -> bool:
    """Whether a quotation holds something of what the follow-up adds."""
    words, stems = f"{scored.unit.heading}\n{scored.unit.words}", Analyzer().tokens
    wanted = expected(follow_up)
    if wanted.names_somebody(words):
        return True
    if added:
        return not set(stems(" ".join(added))).isdisjoint(stems(words)) or not added.isdisjoint(_PLAIN.tokens(words))
    if wanted.kind == "person":
        return _PERSON.search(_DATES.sub("", words)) is not None
    return asks(follow_up) and wanted.holds_value(words)
