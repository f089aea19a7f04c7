"""Which language a question is in, and which of its words say what it is about.

The index holds all words of all languages. Only questions lose their small words: what an English question loses by the
stop words of `domain.text.tokens`, others lose here. The lists hold closed classes of words (articles, pronouns,
prepositions, forms of auxiliaries, words that ask); collections of stop words have content words besides.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Literal, get_args

from domain.patterns import LinearRegex
from domain.text.tokens import ENGLISH_STOP_WORDS, HANGUL, KANA, Analyzer, Stemming

Language = Literal["en", "de", "fr", "es", "zh", "ja", "ko"]
"""ISO 639-1."""

_WORDS: Mapping[Language, str] = {
    "de": """
    ab aber alle allen aller alles als am an auch auf aus bei beim bis da dann darf darfst das dass dein deine dem den
    denn der des die dies diese diesem diesen dieser dieses dir doch du durch dürfen ein eine einem einen einer eines er
    es euch euer für gegen gibt hab habe haben hast hat hatte ich ihm ihn ihr ihre im in ins ist jede jeden jeder jedes
    kann kannst kein keine lang lange man mein meine meinem meinen meiner mich mir mit muss musst müssen nach nicht noch
    nur ob oder ohne sein seine seit sich sie sind so soll sollen sollte über um und uns unser unsere unserem unseren
    unter
    viel viele vieler vom von vor wann war waren warum was welche welchem welchen welcher welches wenn wer wem wen
    werde werden weshalb wie wieso wieviel wieviele will wir wird wo woher wohin wollen womit worden wozu wurde wurden
    würde zu zum zur
    zwischen
    """,
    "fr": """
    a afin ai ainsi alors après as au aucun aucune aussi autre aux avant avec avez avoir avons bien c ce cela ces cet
    cette chez combien comment d dans de depuis des doit dois doivent donc dont du elle elles en encore entre es est et
    être eux fait faut il ils j je l la le les leur leurs lors lui m ma mais me mes moi mon n ne ni nos notre nous on
    ont ou où par pas peut peuvent peux plus pour pourquoi puis qu quand que quel quelle quelles quels qui quoi s sa
    sans se sera ses si son sont sous suis sur t ta te tes ton tous tout toute toutes très tu un une vers vos votre
    vous y
    """,
    "es": """
    a al algo alguna algunas alguno algunos ante antes aquel así aunque cada como cómo con contra cual cuál cuales
    cuáles cuándo cuando cuánta cuántas cuánto cuántos cuanto cuantos de debe debemos deben debo del desde donde dónde
    durante e el él ella ellas ellos en entre era es esa ese eso esta está están este esto estos fue ha haber había han
    hasta hay he la las le les lo los más me mi mis muy ni no nos nosotros nuestra nuestro o os otra otro para pero por
    porque pues puede pueden puedo que qué quién quien quiénes se sea ser si sí sin sobre son soy su sus también te
    tengo tenemos tiene tienen tienes tu tú tus un una unas uno unos usted ustedes y ya yo
    """,
    "zh": """
    的 了 是 在 和 与 或 由 有 被 把 将 对 从 到 向 为 以 于 之 也 都 就 还 又 吗 呢 吧 啊 么
    我 你 您 他 她 它 我们 你们 他们 这 那 这个 那个 谁 什么 哪 哪个 哪些 哪里 哪儿 怎么 怎样 如何 为什么 多少
    多久 多长 几 天 份 次 何时 什么时候 请问 可以 能 要 需要 应该 应 会 个
    """,
}

_TELLING: Mapping[Language, str] = {
    "de": "bitte danke guten hallo moin morgen",
    "fr": "bonjour bonsoir merci salut",
    "es": "buenas buenos días gracias hola",
}
"""Words that a question keeps, and that tell its language."""

_OTHERS = {
    "it": """
    a ad agli ai al alla alle anche c che chi ci col come con cosa così da dal dalla dei del della delle devo di
    dove e è fa gli ha ho i il in io l la le lo ma mi mio mia nel nella noi non o per perché più può qual quale
    quali quando quanti quanto quanta si sia sono su sul tra un una uno vostro
    """,
    "pt": """
    a ao aos as às até com como da das de do dos e é ela ele em entre está eu faço foi há isso já mais mas me meu
    minha na nas não no nos nós o onde os ou para pela pelo por porque posso qual quais quando quanto quantos que
    quem se sem ser seu sua são tem tenho um uma você
    """,
    "nl": """
    aan als bij dan dat de deze die dit door een en er geen heb hebben heeft het hoe hoeveel ik in is je kan kunnen
    maar met mijn moet naar niet nog of om onze ons op over te tot uit van voor waar waarom wanneer wat we wel welke
    werd wie wij wordt ze zijn
    """,
    "sv": """
    att av är de den det du efter en ett från för får hade har hur i inte jag kan man med men mig min mitt måste när
    och om på ska som till vad var varför vem vi vid vilka vilken vilket
    """,
    "pl": """
    a ale by być co czy dla do gdzie i ile jak jaka jaki jakie jest kiedy kto które który ma mam mi mogę moje mój na
    nie o od po są się ten to w z za że
    """,
}
"""Languages without texts of their own, which must not be taken for those that they share words with."""

OTHER = "other"
NAMES: Mapping[str, str] = {
    "en": "English",
    "de": "German",
    "fr": "French",
    "es": "Spanish",
    "zh": "Chinese",
    "ja": "Japanese",
    "ko": "Korean",
    "it": "Italian",
    "pt": "Portuguese",
    "nl": "Dutch",
    "sv": "Swedish",
    "pl": "Polish",
    OTHER: "others",
}
"""In English, by their codes."""

TELLING = 3
"""Words that tell the language of a text from which it is sure."""

LEAST_SHARE = 0.05
"""Of many texts, below which a language is not said to be in use: a list of names or of codes may look like any."""

_LAST_LATIN = "\u024f"
_LATIN: tuple[Language, ...] = ("en", "de", "fr", "es")
_WORD = re.compile(r"\w+")
_HIRAGANA = re.compile("[\u3040-\u309f]")
_KANA, _HANGUL, _HAN = re.compile(f"[{KANA}]"), re.compile(f"[{HANGUL}]"), re.compile("[\u3400-\u9fff]")
_FILTER = re.compile(r"(?<!\S)(?:#|[a-z]{1,10}:)\S{1,200}")
"""What narrows a search: its words are of no language."""

_CODE = LinearRegex(r"[A-Za-z]{1,10}[-_]\d[\w-]*", before=r"^|\W")
"""An identifier such as `E-3315`, whose letters are no word."""

_LETTERS: tuple[tuple[Language, frozenset[str]], ...] = (
    ("de", frozenset("äöüß")),
    ("fr", frozenset("àâçèéêëîïôœùû")),
    ("es", frozenset("ñáíóú")),
)
"""Letters by which a language is guessed where no word tells."""

_ASKING = LinearRegex(
    r"how (?:fast|long|soon|quickly|often|much|many|old|far|large|big|high|low|loud|wide|deep|heavy|strong|expensive)"
    r"|[a-z]{2,6}n['’]t|(?:what|who|how|where|when)['’]?s"
    r"|what happen(?:s|ed)?|what if|(?:under|in) (?:which|what) (?:conditions?|circumstances|cases?|situations?)"
    r"|what is said (?:about|on)|during|nobody|somebody|anybody|someone|anyone|everybody"
    r"|(?:hi|hello|hey)(?: there| all| everyone)?|good (?:morning|afternoon|evening)|please(?: help)?|(?:many )?thanks"
    r"|thank you|(?:can|could|would) (?:you|anyone|somebody)(?: please)? (?:tell|explain|help|say|let)(?: me| us)?"
    r"|(?:do|does) (?:you|anyone|anybody|somebody) know|i (?:would|['’]d) like to know|i (?:was|am) wondering"
    r"|sorry for (?:the|this|my) (?:[a-z]+ )?question|(?:i )?(?:cannot|can['’]t) remember|i have no idea",
    before=r"^|\W",
    after=r"\W|\Z",
    ignore_case=True,
)
"""Words of an English question that say what sort of value is wanted, shortened ones, and those of courtesy."""


def language_of(text: str) -> Language:
    """The language of a question by its script, its small words and its letters; English where nothing tells, and
    where it is none of those that are known.

    A name in another script does not change the language of the words around it: what more letters are in counts.
    """
    found = written_in(text)
    return next((each for each in get_args(Language) if each == found), "en")


def written_in(text: str) -> str:
    """The language of a text as `language_of` tells it, or one of NAMES without texts of its own; OTHER where the
    letters are of a script that none of them has."""
    asked = _CODE.sub(" ", _FILTER.sub(" ", text))
    words = list(filter(str.isalpha, _WORD.findall(asked.casefold())))
    counts = {language: sum(word in _telling_words(language) for word in words) for language in (*_LATIN, *_OTHERS)}
    best = max(counts, key=lambda language: counts[language])  # the first of several
    eastern = _eastern(asked)
    if eastern and not (counts[best] and _letters_of_latin(words) > len(_HAN.findall(asked))):
        return eastern
    if counts[best]:
        return best
    foreign = sum(len(word) for word in words if word[0] > _LAST_LATIN)
    return OTHER if 2 * foreign > sum(map(len, words)) else _by_letters(words)


def told_language(text: str) -> str:
    """As `written_in`; OTHER where fewer than TELLING small words of it or signs of its script say so, as in code and
    lists of names."""
    language = written_in(text)
    words = _WORD.findall(_FILTER.sub(" ", text).casefold())
    if language in {"zh", "ja", "ko"}:
        return (
            language
            if len(_HAN.findall(text)) + len(_KANA.findall(text)) + len(_HANGUL.findall(text)) >= TELLING
            else OTHER
        )
    known = _telling_words(language) if language != OTHER else ()
    return language if sum(word in known for word in words) >= TELLING else OTHER


def _eastern(text: str) -> Language | None:
    """By the script. Without kana, what simplified Chinese and Big5 both cannot write is Japanese."""
    if _KANA.search(text):
        return "ja"
    if _HANGUL.search(text):
        return "ko"
    han = "".join(_HAN.findall(text))
    if han and not any(_writes(encoding, han) for encoding in ("gb2312", "big5")) and _writes("euc_jp", han):
        return "ja"
    return "zh" if han else None


def _writes(encoding: str, text: str) -> bool:
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True


def _letters_of_latin(words: Sequence[str]) -> int:
    """Letters of the words that are not written as East Asian languages are."""
    return sum(len(word) for word in words if not (_HAN.search(word) or _KANA.search(word) or _HANGUL.search(word)))


def _by_letters(words: Sequence[str]) -> Language:
    """Of a text without a word that tells. One name among many words says nothing."""
    for language, letters in _LETTERS:
        marked = sum(not letters.isdisjoint(word) for word in words)
        if 2 * marked > len(words):
            return language
    return "en"


def query_tokens(text: str, analyzer: Analyzer, language: str = "") -> list[str]:
    """The tokens of a question that say what it is about, in reading order, repeats included. language: of the text,
    where it is known.

    Tokens are made as the index makes them. Small words of the question's language are left out; in Japanese, tokens
    with hiragana, which write endings and particles. Where nothing would be left, nothing is left out.
    """
    language = language or language_of(text)
    if language == "en":
        return analyzer.tokens(_ASKING.sub(" ", text)) or analyzer.tokens(text)
    tokens = analyzer.tokens(text)
    if language == "ja":
        about = [token for token in tokens if not _HIRAGANA.search(token)]
    else:
        small = _small_tokens(language, analyzer.stemming)
        about = [token for token in tokens if not small.issuperset(token.split("-"))]
    return about or tokens


@cache
def _small_words(language: Language) -> frozenset[str]:
    return ENGLISH_STOP_WORDS if language == "en" else frozenset(_WORDS.get(language, "").split())


@cache
def _telling_words(language: str) -> frozenset[str]:
    if language in _OTHERS:
        return frozenset(_OTHERS[language].split())
    known = next(each for each in _LATIN if each == language)
    return _small_words(known) | frozenset(_TELLING.get(known, "").split())


@cache
def _small_tokens(language: Language, stemming: Stemming) -> frozenset[str]:
    analyzer = Analyzer(stemming)
    return frozenset(token for word in _small_words(language) for token in analyzer.tokens(word))
