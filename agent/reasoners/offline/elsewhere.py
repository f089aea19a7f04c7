"""Units that speak of another place, of somebody with another task or of another thing than the question. Pure."""

from collections.abc import Sequence

from agent.questions.expected import Expected
from agent.reasoners.offline.quotable_units import QuotableUnit
from agent.reasoners.offline.quoting import ScoredUnit
from agent.retrieval.retriever import Retrieved
from domain.patterns import LinearRegex
from domain.search import Passage
from domain.text.tokens import Analyzer

_IN = LinearRegex(
    r"(?:in|inside|outside|near|at|from the)(?: the| our)? (?P<name>[A-ZÄÖÜ][^\W_]+)",
    before=r"^|\W",
    after=r"\W|\Z",
)
_ROLE = LinearRegex(
    r"(?:the|our|a|an|as|which|is|are) (?P<of>[a-z]{3,20}) (?P<role>managers?|directors?|officers?|wardens?|leads?"
    r"|leaders?|coordinators?|supervisors?|representatives?|assistants?|engineers?)",
    before=r"^|\W",
    after=r"\W|\Z",
    ignore_case=True,
)
_NO_TASK = frozenset(
    """
    new next last first former current responsible right own only main deputy acting the our any best other same
    """.split()  # noqa: SIM905 - a list of words reads best as one
)
"""Words before a role that say nothing of its task."""
_THERE = LinearRegex(
    r"\W*(?:how many|wie viele) (?:[\w-]+ ){0,4}?(?P<things>[\w-]+) (?:(?:are|were|is) there|do we have|have we got"
    r"|exist|gibt es|gab es|haben wir)(?:\W|\Z)",
    ignore_case=True,
)
_NONE = LinearRegex(r"no|none|kein\w{0,2}", before=r"^|\W", after=r"\W|\Z", ignore_case=True)
_PEOPLE = frozenset("people persons staff leute personen menschen".split())  # noqa: SIM905 - as read
"""Things that a page counts under other names."""
_ONE_STEM = tuple(
    tuple(frozenset(each.split()) for each in group.split("|"))
    for group in (
        "author authors|authority authorities",
        "custom customs|customer customers",
        "position positions|positive",
    )
)
"""Words that have one stem and mean different things."""
_PLAIN = Analyzer("none")
_LEAST = 4
"""Letters of a name that are compared, at least: Germany and German."""


def that_are_meant(
    scored: Sequence[ScoredUnit], question: str, passages: Sequence[Passage], measure: Retrieved, wanted: Expected
) -> list[ScoredUnit]:
    """The units that may speak of what the question names, best first as they came:

    - a place (`in Berlin`) stands in them or in their document, as far as it was found;
    - the task of somebody (`the plant manager`) in them, or above them, where they name one of that role;
    - what is counted (`How many bikes are there?`) in them, or above a row or list;
    - and not only a word with the same stem that means something else (`author` for `authority`).
    """
    places = {match.named()["name"].casefold() for match in _IN.finditer(question)} & wanted.names
    roots = {name[: max(_LEAST, len(name) - 2)] for name in places}
    tasks = [match.named() for match in _ROLE.finditer(question)]
    tasks = [each for each in tasks if each["of"].lower() not in _NO_TASK]
    if _holds_one_stem_alone(question, passages):
        return []
    match = _THERE.match(question)
    counted = match.named() if match and match.named()["things"].lower() not in _PEOPLE else None
    texts: dict[str, str] = {}
    for each in passages:
        whole = "\n".join((texts.get(each.document_id, ""), each.title, each.path, *each.heading_path, each.text))
        texts[each.document_id] = whole.casefold()
    return [
        each
        for each in scored
        if all(root in texts[passages[each.unit.passage].document_id] for root in roots)
        and not any(_of_another_task(task, each.unit, passages[each.unit.passage]) for task in tasks)
        and (counted is None or _names(counted["things"], each.unit, passages[each.unit.passage], measure))
        and not _holds_one_stem_alone(question, [passages[each.unit.passage]])
    ]


def _names(things: str, unit: QuotableUnit, passage: Passage, measure: Retrieved) -> bool:
    """Whether a unit, or what stands above it, holds the word for some things; or it says that there are none."""
    tokens = Analyzer(measure.stemming).tokens
    above = " ".join((passage.title, *passage.heading_path, unit.heading))
    held = measure.widened(tokens(f"{above} {unit.words} {unit.columns}"))
    names = (set(tokens(each)) for each in (things, things.removesuffix("es")))  # also of `buses`
    return _NONE.search(unit.words) is not None or any(each <= held for each in names)


def _holds_one_stem_alone(question: str, passages: Sequence[Passage]) -> bool:
    """Whether passages hold of a word of the question only one that has its stem and means something else."""
    asked = set(_PLAIN.tokens(question))
    groups = [group for group in _ONE_STEM if sum(bool(asked & words) for words in group) == 1]
    if not groups:
        return False
    held = set(_PLAIN.tokens("\n".join("\n".join((each.title, *each.heading_path, each.text)) for each in passages)))
    meant = [(next(words for words in group if asked & words), group) for group in groups]
    return any(not held & words and any(held & other for other in group) for words, group in meant)


def _of_another_task(asked: dict[str, str], unit: QuotableUnit, passage: Passage) -> bool:
    """Whether a unit names somebody of a role, and neither it nor what stands above it names their task."""
    tokens = Analyzer().tokens
    words = set(tokens(f"{unit.heading} {unit.words} {unit.columns}"))
    above = words.union(tokens(" ".join((passage.title, *passage.heading_path))))
    return set(tokens(asked["role"])) <= words and not set(tokens(asked["of"])) <= above
