"""The development set: the rules' own examples in frames as texts of a company have them, in several languages.

Made with sight of the rules, so that it says whether they work, not how good they are.
"""

from collections.abc import Iterable
from random import Random

from domain.masking import RULES, Masker
from domain.masking.ruleset.rule import Rule
from tests.masking.case import SHORTEST, Negative, Positive

MASKER = Masker()

FRAMES: tuple[tuple[str, str, str], ...] = (
    ("sentence", "en", "Found in an old page of the wiki, please have a look.\n\n{}\n\nThanks a lot!"),
    ("list item", "de", "Was noch offen ist:\n\n- {}\n- Handbuch aktualisieren"),
    ("code fence", "fr", "Voici ce que j'ai trouvé dans le dépôt :\n\n```\n{}\n```\n\nMerci d'avance."),
    ("table cell", "es", "Lo que falta por revisar:\n\n| cosa | nota |\n|---|---|\n| {} | revisar |"),
    ("quotation", "pt", "Ele escreveu isto ontem à tarde:\n\n> {}\n\nNinguém respondeu ainda."),
    ("own line", "it", "Il messaggio è arrivato questa mattina\n{}\ne nessuno ha risposto finora."),
    ("log line", "en", "2024-01-31 10:00:00,123 INFO [worker-1] {}\n2024-01-31 10:00:01,004 INFO [worker-1] idle"),
    ("list with numbers", "nl", "De volgende stappen voor morgen:\n\n1. {}\n2. Daarna alles nakijken"),
    ("paragraph", "pl", "Proszę o sprawdzenie jeszcze dzisiaj.\n\n{}\n"),
    ("paragraph", "ru", "Посмотрите, пожалуйста, до конца дня.\n\n{}\n"),
    ("paragraph", "tr", "Lütfen bugün içinde kontrol edin, teşekkürler.\n\n{}\n"),
    ("paragraph", "zh", "请各位同事在今天下班之前确认以下内容,如有疑问请在群里说明,谢谢大家的配合。\n\n{}\n"),
    ("paragraph", "ja", "本日中に下記の内容をご確認くださいますよう、よろしくお願いいたします。\n\n{}\n"),
    ("paragraph", "ko", "오늘 중으로 아래 내용을 확인해 주시기 바랍니다. 감사합니다, 여러분.\n\n{}\n"),
)
ONE_LINE = frozenset(("list item", "table cell", "quotation", "log line", "list with numbers"))


def positives(seed: int) -> list[Positive]:
    """Every example in two frames."""
    return [case for number, (rule, text) in enumerate(_examples()) for case in _framed(seed, number, rule, text)]


def negatives(seed: int) -> list[Negative]:
    """Every counter-example in a frame."""
    made: dict[str, Negative] = {}
    for number, text in enumerate(text for rule in RULES for text in rule.not_examples):
        shape, language, frame = Random(f"{seed}/negative/{number}").choice(_fitting(text))
        made.setdefault(frame.format(text), Negative(shape, language, frame.format(text)))
    return list(made.values())


def _examples() -> Iterable[tuple[Rule, str]]:
    return ((rule, text) for rule in RULES for text in rule.examples)


def _fitting(text: str) -> list[tuple[str, str, str]]:
    """The frames that leave what a text means as it is."""
    return [row for row in FRAMES if row[0] not in ONE_LINE or not set("\n|`") & set(text)]


def _framed(seed: int, number: int, rule: Rule, text: str) -> Iterable[Positive]:
    secret = secret_of(rule, text)
    if len(secret) < 6:
        return
    for shape, language, frame in Random(f"{seed}/{number}").sample(_fitting(text), 2):
        whole = frame.format(text)
        keep = frame.partition("{}")[0].strip("\n").split("\n")[0]
        if len(whole) >= SHORTEST:
            yield Positive(rule.group, shape, language, whole, (secret,), (keep,))


def secret_of(rule: Rule, text: str) -> str:
    """What is masked of one of a rule's examples when it stands alone, as a secret of its kind."""
    found = [text[each.start : each.end] for each in MASKER.mask(text).findings if each.kind == rule.kind]
    return max(found, key=len, default="")
