"""What a question's words show by themselves: small talk, ids, intent. Pure, and no model is asked."""

import re

from agent.state import AnswerKind, Intent, MessageKind, QuestionReference
from domain.patterns import LinearRegex
from domain.text.file_endings import DOCUMENTS
from domain.text.languages import language_of, query_tokens
from domain.text.tokens import ENGLISH_STOP_WORDS, IT, Analyzer

_GREETING = LinearRegex(
    r"(?:hi|hello|hey|hiya|howdy|good (?:morning|afternoon|evening|day)|greetings|hallo|moin|guten (?:tag|morgen|abend)"
    r"|bonjour|bonsoir|salut|hola|buenos d[ií]as|buenas (?:tardes|noches)|ciao|ol[áa]"
    r"|[你您]好|大家好|早上好|下午好|晚上好|こんにちは|こんばんは|おはよう(?:ございます)?|はじめまして)"
    r"(?: (?:there|all|everyone|team|bot|kb|zusammen|again))*"
)
_THANKS = LinearRegex(
    r"(?:(?:ok|okay|great|perfect|cool|nice|awesome)[, ]*)?"
    r"(?:thanks|thank you|thx|ty|cheers|danke(?: sch[öo]n)?|vielen dank|merci(?: beaucoup)?"
    r"|(?:muchas )?gracias|grazie|obrigad[oa]"
    r"|谢谢[你您]?|多谢|非常感谢|感谢|(?:どうも)?ありがとう(?:ございます|ございました)?)"
    r"(?: (?:a lot|so much|very much|again|all|bot|kb|that helped?|for (?:the|your) help))*"
)
_CAPABILITIES = LinearRegex(
    r"(?:what (?:can|do) you do|what can (?:i|we) ask(?: you)?|who are you|what are you|how do you work|help(?: me)?"
    r"|how (?:can|do) (?:i|we) use (?:you|this|the bot)|was kannst du|hilfe"
    r"|que (?:peux tu|pouvez vous) faire|aide|qu[eé] puedes hacer|ayuda|你能做什么|你是谁|帮助|何ができますか|ヘルプ)"
    r"(?: (?:exactly|here|please))?"
)

# words of courtesy that a question begins and ends with
_PLEASE = r"please|pls|plz|kindly|bitte"
_THANKS_BEHIND = r"(?:many )?thanks|thank you|danke|merci|gracias"
_BEGINS_KINDLY = LinearRegex(
    rf"\A\W*(?:(?:hi|hey|hello)(?: (?:there|all|everyone|team|kb))?[,!:]+\s+|(?:{_PLEASE})[\s,!:]+)+", ignore_case=True
)
_ASKS_KINDLY = LinearRegex(
    rf"\A\W*(?:can|could|would|will) you (?:(?:{_PLEASE}) )?",
    after=r"(?:list|show|give|name|tell|find|count|explain) ",
    ignore_case=True,
)
_ENDS_KINDLY = LinearRegex(
    rf"(?:[\s,.!?]+(?:{_PLEASE}|thx)|[,.!?]\s*(?:{_THANKS_BEHIND}))+(?: in advance)?[\s.!]*\??\s*\Z",
    ignore_case=True,
)
_SPOKEN_OF = LinearRegex(
    r"(?:of|say|says|said|means?|words?|heißt|wort) ['\"„“]?\w+\W*\Z", before=r"^|\W", ignore_case=True
)
"""A word that is asked about stands at the end."""

_FRESHNESS = LinearRegex(
    r"(?:how (?:fresh|current|up[ -]to[ -]date) is (?:the|your) index"
    r"|when was (?:the|your) index (?:last )?(?:read|updated)"
    r"|(?:what is the )?(?:status|state) of (?:the|your) index)",
    ignore_case=True,
)
_READ_AGAIN = LinearRegex(
    r"(?:please |kb )*(?:re-?index|(?P<read>(?:read|index) ))(?: ?(?:the )?(?:source )?(?P<source>[\w.-]{1,100}?))??"
    r"(?: again)?(?:,? please)?",
    ignore_case=True,
)

_AGAIN = LinearRegex(r". again", after=r"\W|\Z", ignore_case=True)

_PLAIN, _ENGLISH = Analyzer("none"), Analyzer()

_URL = re.compile(r"https?://[^\s<>\"'`|\\^{}]{1,1000}")
_KEY = re.compile(r"(?<![\w-])[A-Z][A-Z0-9_]{1,15}-\d{1,7}(?![\w-])")
_NOT_KEYS = frozenset("UTF ISO SHA HTTP TLS AES RSA MD COVID UTC GMT EN IEC DIN".split())  # noqa: SIM905 - a list of words reads best as one
_PAGE = re.compile(r"\b(?:page(?:[ _]?id)?|pageId)[ :=#]{1,2}(\d{4,18})\b", re.IGNORECASE)
_PATH = re.compile(
    r"(?<![\w/:@])(?:[\w.-]{1,64}/){0,12}[\w-][\w.-]{0,63}"
    rf"\.(?:{DOCUMENTS}|py|sql|sh|tf)\b"
)

_QUOTED = re.compile(r"[\"“”„]([^\"“”„]{2,120})[\"“”]|`([^`]{2,120})`")
_IDENTIFIER = re.compile(
    r"(?<![\w.-])(?:--?[a-z][\w-]{2,40}|[^\W\d_][^\W_]{0,40}(?:_{1,2}[^\W_]{1,40}){1,8}|[A-Z]{1,8}\d{2,8}"
    r"|[a-z]{2,}(?:[A-Z][a-z0-9]+){1,6}"
    r"|0x[0-9a-fA-F]{2,16}|[a-z][\w-]{1,40}(?:\.[a-z_][\w-]{1,40}){2,6})(?![\w-])"
)
_DISCOVERY = LinearRegex(
    r"(?:which|what) (?:document|doc|file|page|runbook|policy|guide)s?"
    r"|where (?:is|are|can (?:i|we) find) (?:the |our |a |an )?"
    r"(?:[\w-]+ ){0,4}(?:document|doc|file|page|runbook|policy|guide|template|spreadsheet|readme|handbook)s?"
    r"|(?:find|list|show)(?: me)? (?:the |all |our |every )*"
    r"(?:[\w-]+ ){0,3}(?:document|doc|file|page|runbook|guide)s?",
    before=r"^|\W",
    after=r"\W|\Z",
    ignore_case=True,
)
_RELATIONAL = LinearRegex(
    r"(?:related to|relat(?:es?|ion(?:ship)?s?) (?:to|of|between)|depend(?:s|encies|ency|ent)?(?: on| of)"
    r"|linked (?:to|with)|links? to|connected (?:to|with)|refers? to"
    r"|belongs? to|(?:in|under|within) (?:the )?(?:epic|parent)|(?:sub-?tasks?|epic) of|(?:reporter|assignee|author) of"
    r"|who (?:looks after|takes care of|leads|heads|runs|handles|is (?:responsible for|in charge of))"
    r"|who (?:owns|maintains|manages|reported|raised|filed|opened|created|wrote)|owner of"
    r"|reports? to|block(?:s|ed by)|impacts?|affected by|used by|part of"
    r"|assigned to|reported by|caused by|duplicates?|(?:child|parent|children) of)"
    r"|(?:does|do|did) .{2,80}? (?:block|cause|use|own|clone|report)"
    r"|(?:sub-?tasks?|children|stories|epics?) (?:does|do|did) .{2,80}? have",
    before=r"^|\W",
    after=r"\W|\Z",
    ignore_case=True,
)
_ROLE = LinearRegex(
    r"whom|who(?: is|'s|’s| are) (?:in charge|responsible|(?:the |our )?(?:owner|head|lead|contact|deputy|maintainer))"
    r"|who (?:owns|maintains|manages|leads|heads|runs|handles|looks after|takes care of|answers)"
    r"|who (?:should|do|can|could|would|must|shall) (?:i|we|one) (?:ask|contact|talk|call|tell|write|turn|speak)"
    r"|(?:which|what) (?:person|colleague)|whose job",
    before=r"^|\W",
    after=r"\W|\Z",
    ignore_case=True,
)
_PAST = LinearRegex(
    r"before|previous(?:ly)?|earlier|former(?:ly)?|olde?r?|past|history|used to|chang(?:ed?|es)|differ(?:s|ences?|ent)?"
    r"|compared?|versions? \d|originally|back then|replaced|predecessor|(?:19|20)\d\d|früher|vorher",
    before=r"^|\W",
    after=r"\W|\Z",
    ignore_case=True,
)
_KIND_WORDS: tuple[tuple[AnswerKind, str], ...] = (
    ("comparison", r"compare|compared|comparison|differences?|differ|versus|vs"),
    (
        "number",
        r"how (?:many|much|long|often|far|high|large|big|old)|what (?:number|percentage|amount|rate)",
    ),
    ("date", r"\A\W*when|(?:and|or|until|since|by|from|know|say|me) when|what (?:date|day|year|time)"),
    ("person", r"who(?:m|se)?|(?:which|what) (?:person|colleague)"),
    (
        "procedure",
        (
            r"how (?:do|to|can|should|would|must)|steps|procedure|instructions|way to|what now"
            r"|wie [a-zäöüß]{3,25} (?:ich|man|wir)|was (?:muss|soll|kann) (?:ich|man) (?:\w+ ){0,3}(?:tun|machen)"
        ),
    ),
    ("explanation", r"why|explain|how (?:does|did|is|are)"),
    ("list", r"list|which|what are|name (?:all|the)"),
    ("yes_no", r"\A(?:is|are|was|were|do|does|did|can|could|may|must|should|has|have|will)"),
)
_KINDS = [(name, LinearRegex(words, before=r"^|\W", after=r"\W|\Z", ignore_case=True)) for name, words in _KIND_WORDS]
_SENTENCE_END = LinearRegex(r"\s+", before=r"[.?!]")
_SIGNS = LinearRegex(r"[^\w\s'’]")
_NAMES_SOMETHING = LinearRegex(r"[A-Z]", before=r"\W")
"""A capital letter that begins a word, but for the first one of the text."""


def talk(text: str) -> MessageKind:
    """Whether the whole text is small talk."""
    words = " ".join(_SIGNS.sub(" ", text).lower().split())
    if _GREETING.fullmatch(words):
        return "greeting"
    if _THANKS.fullmatch(words):
        return "thanks"
    return "capabilities" if _CAPABILITIES.fullmatch(words) else "question"


def without_courtesy(text: str) -> str:
    """The question without `please`, `could you` and `thanks` at its ends; as it is where nothing else stands there."""
    end = None if _SPOKEN_OF.search(text) else _ENDS_KINDLY.search(text)
    rest = f"{text[: end.start()]}{'?' if '?' in end[0] else ''}" if end else text
    rest = _ASKS_KINDLY.sub("", _BEGINS_KINDLY.sub("", rest))
    return rest if content_words(rest) else text


def references(text: str) -> tuple[QuestionReference, ...]:
    """Ticket keys, page ids, URLs and file paths, each once, in this order of kinds."""
    urls = [match.group().rstrip(".,;:!?)]") for match in _URL.finditer(text)]
    rest = _URL.sub(" ", text)
    keys = [key for key in _KEY.findall(rest) if key.rpartition("-")[0] not in _NOT_KEYS]
    pages, paths = _PAGE.findall(rest), _PATH.findall(rest)
    found = [("url", each) for each in urls] + [("key", each) for each in keys]
    found += [("page", each) for each in pages] + [("path", each) for each in paths]
    return tuple(QuestionReference(kind, each) for kind, each in dict.fromkeys(found))


def routed(text: str, found: tuple[QuestionReference, ...]) -> bool:
    """Whether the ids say all that is needed to search: little else is in the text."""
    rest = text
    for each in found:
        rest = rest.replace(each.text, " ")
    return bool(found) and len(content_words(rest)) <= 6


def relational(text: str) -> bool:
    """Whether the words ask how things hang together."""
    return bool(_RELATIONAL.search(text))


def about_the_past(text: str) -> bool:
    """Whether the words ask for what was before, or for what has changed."""
    return bool(_PAST.search(text))


def intent(text: str, found: tuple[QuestionReference, ...]) -> Intent:
    """What sort of search fits the words."""
    if _DISCOVERY.search(text):
        return "file_discovery"
    if found or _QUOTED.search(text) or _IDENTIFIER.search(text):
        return "exact"
    return "relational" if relational(text) else "conceptual"


def asks_for_role(text: str) -> bool:
    """Whether a question is for who owns, leads or answers for something, which lists of persons tell."""
    return bool(_ROLE.search(text))


def administration(text: str) -> dict[str, str] | None:
    """The arguments of index_command, for words that are about the index itself and nothing else."""
    words = " ".join(text.split()).strip("?!. ")
    if _FRESHNESS.fullmatch(words):
        return {"command": "status"}
    asked = _READ_AGAIN.fullmatch(words)
    if asked is None or (asked["read"] and not _AGAIN.search(words[asked.end("read") :][:107])):
        return None
    source = asked["source"]
    return {"command": "reindex", "source": "" if source.lower() in {"all", "everything", "index"} else source}


def literals(text: str) -> list[str]:
    """What stands in quotes or looks like an identifier: to be found as it is."""
    quoted = [first or second for first, second in _QUOTED.findall(text)]
    keys = [each.text for each in references(text) if each.kind == "key"]
    return list(dict.fromkeys([*quoted, *keys, *(match.group() for match in _IDENTIFIER.finditer(text))]))


def kind(text: str) -> AnswerKind:
    """What the answer should be, as the first word says that asks for something; a comparison is one wherever it says
    so, and what begins like `Is …` or `Do you know …` asks for what it goes on with. Of several sentences the first one
    that is a question tells, if any is."""
    text = next((each for each in _SENTENCE_END.split(text) if each.endswith("?")), text)
    german = text[:4].lower() == "was " and language_of(text) == "de"  # "what", there
    found = [(match.start(), place) for place, (_, pattern) in enumerate(_KINDS) if (match := pattern.search(text))]
    first, last = _KINDS[0], _KINDS[-1]
    if not found or first[1].search(text):
        return first[0] if found else "fact"
    asked = [each for each in found if _KINDS[each[1]] is not last]
    return "fact" if german and not asked else _KINDS[min(asked or found)[1]][0]


def content_words(text: str) -> list[str]:
    """The words that carry meaning, each once, as they stand."""
    acronym = {"it": IT} if IT in _ENGLISH.tokens(text) else {}
    words = (acronym.get(word, word) for word in query_tokens(text, _PLAIN))
    return list(dict.fromkeys(word for word in words if word not in ENGLISH_STOP_WORDS))


def vague(text: str, meant: Intent) -> bool:
    """Whether the words are so few and general that a hypothetical answer finds more than they do. A question for
    one fact is not vague however short it is."""
    if meant != "conceptual" or kind(text) in {"number", "date", "person", "yes_no"}:
        return False
    return len(content_words(text)) <= 3 and not (any(map(str.isdecimal, text)) or _NAMES_SOMETHING.search(text))
