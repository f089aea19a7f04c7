"""Questions for a count or a list of documents or of rows of a table: `How many runbooks are there?`, `Which documents
mention Skerry?`, `List all tier 1 services`. Pure."""

from dataclasses import dataclass

from domain.patterns import Linear

_ANY = frozenset("document documents doc docs page pages file files article articles entry entries".split())  # noqa: SIM905 - a list of words reads best as one
_MEASURES = frozenset(
    """
    seconds minutes hours days nights weeks months quarters years times percent euros dollars pounds yen cents
    characters letters digits bytes kilobytes megabytes gigabytes metres meters kilometres miles degrees
    """.split()  # noqa: SIM905 - a list of words reads best as one
)
_LEADS = frozenset("the all our every of any different these those your".split())  # noqa: SIM905 - a list of words reads best as one

_THINGS = r"(?P<things>(?:[\w'’-]+ ){0,7}?[\w'’-]+)"
_MENTIONED = (
    r"(?:mention|mentions|mentioned|speaks? (?:of|about)|talks? about|refers? to|contains?|names?|cites?|describes?"
    r"|deals? with|are about|is about) (?:the (?:word|name|term) )?(?P<mentions>[^?!,;]{2,80}?)"
)
_OWNED = (
    r"(?:belongs? to|(?:are|is|were|was) (?:owned|maintained|kept|written) by|(?:are|is) the responsibility of"
    r"|(?:are|is) from)"
    r" (?:the )?(?P<owner>[^?!,;]{2,60}?)(?: (?:team|department|group))?"
)
_OWNS = r"(?:does|do) (?:the )?(?P<owner>[^?!,;]{2,60}?)(?: (?:team|department|group))? (?:own|maintain|write|keep)"
_ENDS = r"[?!. ]*\Z"
_ASKS = r"(?:which|what|list all|list the|how many)"
_EXIST = r"(?:are there|is there|do we have|have we got|exist)"
_PATTERNS = tuple(
    Linear(rf"\A\W*{pattern}{_ENDS}", ignore_case=True)
    for pattern in (
        rf"{_ASKS} {_THINGS} (?:that |which |do |does )?{_MENTIONED}",
        rf"(?:in|on) {_ASKS} {_THINGS} (?:is|are) (?P<mentions>[^?!,;]{{2,80}}?) (?:mentioned|named|described)",
        rf"{_ASKS} {_THINGS} (?:that )?{_OWNED}",
        rf"{_ASKS} {_THINGS} {_OWNS}",
        rf"(?:what|which) (?:are|were) the {_THINGS} (?:of|for|in|at|on|behind|when) [^?]{{2,80}}",
        rf"how many {_THINGS} (?:{_EXIST}|are (?:listed|indexed|known)(?: [^?]{{1,40}})?)",
        rf"(?:list|show|name|give)(?: me)? (?:all |every |the |our |all the |all our )?{_THINGS}",
        rf"(?:which|what) {_THINGS} (?:{_EXIST}|were|was|are|have been|has been)",
        (
            rf"(?:which|what|how many) {_THINGS}"
            r" (?:are|is|runs?|were|have|has|do|does|did|uses?|can|sends?|sits?|came|comes?|followed|needs?) [^?]{2,80}"
        ),
    )
)
LAST, OF_SOMETHING = len(_PATTERNS) - 1, 4
"""The patterns of questions with some other condition: `what are the causes of …`, `which tools need …`."""


@dataclass(frozen=True, slots=True)
class Listing:
    """What is to be counted or listed."""

    things: str
    """The words for it, such as `tier 1 services`; empty for documents of any kind."""
    mentions: str = ""
    """What the documents have to speak of."""
    owner: str = ""
    """Whom they have to belong to."""
    condition: bool = False
    """Whether they have to meet another condition, which only the columns of a table can tell."""

    @property
    def of_any_kind(self) -> bool:
        """Whether documents are meant, of whatever kind."""
        return not self.things


def listing_of(question: str) -> Listing | None:
    """What a question wants counted or listed; None where it asks for something else."""
    for number, pattern in enumerate(_PATTERNS):
        match = pattern.match(question)
        if match:
            found = match.named()
            words = [word for word in found["things"].split() if word.lower() not in _LEADS]
            if number == LAST and _MEASURES.intersection(word.lower() for word in words[:1] + words[-1:]):
                return None
            things = "" if not words or words[-1].lower() in _ANY else " ".join(words)
            if words and words[-1].lower() in _ANY and len(words) > 1 and words[0].lower() not in _ANY:
                things = " ".join(words[:-1])
            condition = number in {LAST, OF_SOMETHING}
            return Listing(things, _bare(found.get("mentions", "")), _bare(found.get("owner", "")), condition)
    return None


def _bare(name: str) -> str:
    return name.strip(" \"'“”‘’`.")
