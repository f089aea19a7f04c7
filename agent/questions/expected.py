"""What an answer has to hold, as the words of the question say it: a value of some kind, identifiers, names. Pure."""

from dataclasses import dataclass, replace
from re import escape

from agent.questions.patterns import asks_for_role, kind
from agent.state import AnswerKind
from domain.patterns import LinearRegex
from domain.text.codes import code_keys
from domain.text.days import named_days
from domain.text.feasts import feasts_named
from domain.text.languages import language_of, query_tokens
from domain.text.months import MONTHS
from domain.text.ranges import amounts
from domain.text.tokens import Analyzer
from domain.text.weekdays import days_named

_MONEY = r"[€$£¥]\s?\d[\d.,]*|\d[\d.,]*\s?(?:[€$£¥]|euros?|eur|usd|gbp|jpy|chf|dollars?|yen|pounds?|cents?|francs?)"
NUMBERS = (
    r"\d[\d.,]*|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen"
    r"|(?:twen|thir|for|fif|six|seven|eigh|nine)ty|hundred|thousand|half"
    r"|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|zwölf"
)
"""A pattern of numbers in digits and in words."""
_UNITS = (
    r"ms|s|secs?|min|h|seconds?|minutes?|hours?|days?|nights?|weeks?|months?|quarters?|years?"
    r"|sekunden?|minuten?|stunden?|tagen?|wochen?|monaten?|jahren?"
)
_SPANS = rf"(?:{NUMBERS})(?: [a-z]+ |[ -]?)(?:{_UNITS})"
_AMOUNTS = rf"{NUMBERS}|none|no|all|unlimited|zero"
_SOON = "immediately|at once|sofort"
_LENGTHS = (
    rf"(?:{NUMBERS})(?: [a-z]+ |[ -]?)(?:characters?|letters?|words?|pages?|lines?|[ckm]?m|met(?:er|re)s?|inch(?:es)?"
    r"|feet|zeichen|buchstaben|wörtern?|seiten?|zeilen?)"
)
_MONTHS = (
    r"jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?|januar|februar|märz|mai|juni|juli|oktober|dezember"
)
_POINTS = (
    rf"(?:19|20)\d\d|\d{{1,2}}[:.]\d\d|\d{{1,2}} ?(?:[ap]\.?m\.?|uhr|o['’]clock)|{_MONTHS}"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun|week)days?|weekends?|(?:mon|diens|donners|frei|sams|sonn|werk|feier)tag\w?\w?"
    r"|mittwochs?|täglich|every|daily|nightly|weekly|monthly"
    r"|yearly|never|noon|midnight|after|before|when|while|until|as soon as|once|within"
)
_MOMENTS = rf"{_POINTS}|{_SPANS}|{_SOON}"
_KINDS: tuple[tuple[str, str, bool], ...] = (
    (
        (
            r"(?:tele)?phone number|telephone|fax number|mobile number|extension number|durchwahl"
            r"|(?:her|his|their|whose|['’]s) (?:phone|mobile|extension|number)|(?:telefon|handy|mobil|fax|ruf)nummer"
        ),
        (
            r"\+\d[\d ()/-]{6,20}|\(?0\d{2,5}\)?[ /-]?\d{3,12}|(?:phone|tel(?:ephone|efon)?|mobile|handy|mobil|fax"
            r"|ext(?:ension)?|durchwahl|call|dial|ring)[^\w\n]{1,3}(?:[a-z]{1,10} ){0,2}\d[\d /-]{1,15}"
        ),
        True,
    ),
    (r"ip(?:v4)? address|ip-adresse", r"\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}", True),
    (r"e-?mail address|mail address|e-mail-adresse", r"[\w.+-]+@[\w.-]+", True),
    (
        r"(?:how much|what) (?:does|do|did|is|are|was|were|would|will) .{1,80} (?:cost|pay)|price|kostet|preis",
        _MONEY,
        True,
    ),
    (r"how much (?:money|budget)|cost of|costs?|salary|wieviel geld|budget", _MONEY, False),
    (r"how old|wie alt", r"(?:years?|months?|days?) old|aged?|born|age", True),
    (r"how long|wie lang", rf"{_SPANS}|{_LENGTHS}", True),
    (r"how (?:fast|soon|quickly)|wie schnell", rf"{_SPANS}|{_SOON}", True),
    (
        (
            r"how many (?:seconds|minutes|hours|days|weeks|months|years)"
            r"|wie lange|wie viele (?:tage|stunden|wochen|monate|jahre|minuten|urlaubstage)"
        ),
        _SPANS,
        True,
    ),
    (
        r"how often|wie oft",
        rf"every|per|each|once|twice|daily|nightly|weekly|monthly|quarterly|yearly|times|hourly|{_SPANS}|{_SOON}",
        False,
    ),
    (
        r"(?:by|until|till) (?:when|(?:what|which) (?:date|day|time|month))|bis wann|deadline|last day|latest",
        rf"{_POINTS}|by|at the latest|latest|no later|bis|spätestens",
        False,
    ),
    (r"when (?:did|was|were|has|have)", rf"{_POINTS}|ago", True),
    (
        (
            r"\A\W*when|(?:and|or|until|since|by|from|know|say|tell me) when"
            r"|(?:what|which|in which|on which) (?:date|day|year|month|time)|wann|bis wann"
        ),
        _MOMENTS,
        False,
    ),
    (r"(?:what|which) version|which release", r"v?\d[\w.-]*", True),
    (
        r"how (?:high|large|big|far|deep|wide|heavy|cold|hot|warm)|wie (?:hoch|groß|weit|schwer|tief|breit)",
        _AMOUNTS,
        True,
    ),
    (
        r"how (?:many|much)|what (?:number|percentage|share|rate|port)|which port|wie viele?",
        _AMOUNTS,
        False,
    ),
    (
        r"who(?:m|se)?|wer|wem|wen",
        (
            r"(?:\w+[:|·,;)–]{0,2}\*{0,2} |\(|\| )(?-i:[A-ZÄÖÜ][a-zäöü])\w+"
            r"|(?:\w{2,20}ed|done|seen|made|given|taken|known|told|signed off) by \w+"
            r"|(?:manager|director|(?:team )?lead|head|board|officer|committee|department|supervisor)s?"
            r"|staff|employees|trainees|interns|(?:help|service|front) ?desk"
        ),
        False,
    ),
    (
        r"why|what is the reason|warum|wieso|weshalb",
        r"because|since|so that|due to|therefore|otherwise|in order to|reasons?|cause[ds]?|would|too|as|weil|damit",
        False,
    ),
)
_PERSON = LinearRegex(
    r"(?-i:[A-ZÄÖÜ]\w+) \((?:[a-zäöüß]{2,20}[ -]?){1,4}\)"
    r"|(?:owner|owned by|head|lead|led by|contact|deputy|author|approval|approved by|responsible)\W{1,4}"
    r"(?-i:[A-ZÄÖÜ][a-zäöü])",
    before=r"^|\W",
    ignore_case=True,
)
"""A name with what somebody is, or behind a word for what somebody does."""

_WANTED = tuple(
    (
        LinearRegex(asks, before=r"^|[^\w-]", after=r"[^\w-]|\Z", ignore_case=True),
        LinearRegex(holds, before=r"^|\W|_", after=r"\W|\Z|_", ignore_case=True),
        strict,
    )
    for asks, holds, strict in _KINDS
)
_COUNTED = LinearRegex(r"how many (?P<counted>[\w-]+)", ignore_case=True)
_NEWS = LinearRegex(
    r"what (?:has |have |was |were |is |are )?(?:changed|new|fixed|added|removed|different)", ignore_case=True
)
_HOURS = LinearRegex(
    r"(?:opening|office|business|service|support|desk|visiting) (?:hours|times)"
    r"|(?:when|what time) (?:is|are) .{1,60} open|what time (?:does|do) .{1,60} (?:open|close)"
    r"|öffnungszeiten|sprechzeiten|geschäftszeiten|wann (?:hat|haben|ist|sind) .{1,60} (?:geöffnet|offen|auf)",
    before=r"^|\W",
    after=r"\W*\Z|\W(?:of|for|at|in|the|der|des|von|im)\W|[- ]",
    ignore_case=True,
)
_ONE = LinearRegex(
    r"\A\W*(?:(?:in|on|at|by|for|from|to|with) )?(?:which|what) [a-z-]*[a-rt-z](?:\W|\Z)", ignore_case=True
)
"""A question for one thing: the word behind `which` is no plural."""
_URL = LinearRegex(r"https?://\S+")
_NAME = LinearRegex(r"[A-ZÄÖÜ]\w+(?:-\w+)*", before=r"^|[^\w.@/-]", after=r"\W|\Z")
_WITHIN = LinearRegex(r"[A-ZÄÖÜ][a-zäöüß]+", before=r"[a-zäöüß,] ", after=r"[^\w-]|\Z")
"""A word with a capital within a sentence."""
_SMALL = LinearRegex(r"[a-zäöüß]{3,}", before=r"^|[^\w-]", after=r"[^\w-]|\Z")
_BEGINS = frozenset('.?!:"“„(¿¡«')
"""Signs behind which any word is written with a capital."""
_COMMON = frozenset(
    """
    monday tuesday wednesday thursday friday saturday sunday english german french spanish japanese chinese
    """.split()  # noqa: SIM905 - a list of words reads best as one
).union(MONTHS["en"])


@dataclass(frozen=True, slots=True)
class Expected:
    """What an answer has to hold."""

    kind: AnswerKind
    value: LinearRegex | None = None
    """Some value, such as an amount of money; None where the question asks for none that can be told by its form."""
    strict: bool = False
    """Whether nothing answers without such a value."""
    codes: frozenset[str] = frozenset()
    """Identifiers that the question names, as `code_keys` gives them."""
    names: frozenset[str] = frozenset()
    """Other names in the question, in small letters."""
    amounts: tuple[float, ...] = ()
    """Amounts that the question names, such as that of an order."""
    count: LinearRegex | None = None
    """A number of what is counted: of `how many rotations`, `two on-call rotations`."""
    role: bool = False
    """Whether it is for who owns, leads or answers for something."""
    hours: bool = False
    """Whether it asks when something is open, and names no day."""
    own: frozenset[str] = frozenset()
    """Tokens that a follow-up adds to the question before it."""

    @property
    def wants_list(self) -> bool:
        """Whether several things are asked for."""
        return self.kind in {"list", "procedure"}

    def names_somebody(self, text: str) -> bool:
        """Whether a text names a person with what they are or do, where who does is asked for."""
        return self.role and _PERSON.search(text) is not None

    def holds_value(self, text: str) -> bool:
        """Whether a text holds a value of the kind that is asked for."""
        return self.value is None or bool(self.value.search(text))


def expected(question: str, own: str = "") -> Expected:
    """What an answer to the question has to hold. own: the words of a follow-up in it; what they ask for counts."""
    question = _URL.sub(" ", question)
    asked = own if any(asks.search(own) for asks, _, _ in _WANTED) else question
    value, strict = _value(asked)
    tokens = frozenset(query_tokens(own, Analyzer())) if own else frozenset()
    count = _count_of(match.named()["counted"]) if (match := _COUNTED.search(asked)) else None
    return Expected(
        *(_kind(asked), value, strict, code_keys([question]), _names(question), tuple(amounts(question))),
        count=count,
        role=asks_for_role(asked),
        hours=bool(_HOURS.search(asked)) and not (days_named(asked) or named_days(asked) or feasts_named(asked)),
        own=tokens,
    )


def _count_of(things: str) -> LinearRegex:
    """A number with at most two words between it and the things, in one form or another."""
    stem = escape(things.lower().removesuffix("s").removesuffix("ie"))
    return LinearRegex(
        rf"(?:{NUMBERS}) (?:[\w-]+ ){{0,2}}{stem}[a-z]{{0,3}}", before=r"^|\W", after=r"\W|\Z", ignore_case=True
    )


def _value(asked: str) -> tuple[LinearRegex | None, bool]:
    """The value that is asked for, as the words say with which the question begins, or else what stands in it."""
    found = [(match.start(), place) for place, (asks, _, _) in enumerate(_WANTED) if (match := asks.search(asked))]
    if not found:
        return None, False
    at_start = [place for start, place in found if start <= 1]
    _, holds, strict = _WANTED[min(at_start or [place for _, place in found])]
    return holds, strict


def _kind(asked: str) -> AnswerKind:
    """As patterns have it, but that `which port` asks for one thing, and what is new or has changed for several."""
    found = kind(asked)
    if _NEWS.search(asked):
        return "list"
    return "fact" if found == "list" and _ONE.search(asked) else found


def expected_in(words: str, text: str, own: str) -> Expected:
    """What an answer has to hold. words: those that were measured, `text` or other words for it. Of a question in a
    language whose nouns have capitals, no name can be told in other words."""
    if words == text or language_of(text) != "de":
        return expected(text, own)
    return replace(expected(words), names=frozenset())


def _names(question: str) -> frozenset[str]:
    """Capitalised words; none in German, where every noun is."""
    if language_of(question) == "de":
        return frozenset()
    found = set()
    for match in _NAME.finditer(question):
        name = match[0].casefold()
        if (
            name.removesuffix("s") not in _COMMON
            and question[: match.start()].rstrip()[-1:] not in _BEGINS | {""}
            and not any(map(str.isdigit, name))
        ):
            found.add(name)
    return frozenset(found)


def with_small_names(wanted: Expected, question: str, text: str) -> Expected:
    """What an answer has to hold, with the names that the question writes in small letters: words that the text writes
    with a capital within a sentence, and nowhere without. None in German, where all nouns are written so."""
    if language_of(question) == "de":
        return wanted
    plain = Analyzer("none").tokens
    words = {match[0]: plain(match[0]) for match in _SMALL.finditer(question)}
    named = set(plain(" ".join(match[0] for match in _WITHIN.finditer(text))))
    small = set(plain(" ".join(match[0] for match in _SMALL.finditer(text))))
    names = {
        word
        for word, tokens in words.items()
        if tokens and named.issuperset(tokens) and small.isdisjoint(tokens) and word.removesuffix("s") not in _COMMON
    }
    return replace(wanted, names=wanted.names | names)
