"""The small template language that all modules of this set share.

A raw block is a list of cases, each with a head line ``=== shape | language`` and a body.  In a body

* ``<<gen:arg|transform@a>>`` is a generated secret (``@a`` names it, so that it can be repeated),
* ``<~gen:arg@a~>`` is a generated value that is no secret,
* ``{+words+}`` are words which must survive,
* ``~+`` at the end of a line joins it with the next line.
"""

import random
import re
from collections.abc import Callable
from dataclasses import dataclass

from tests.masking.case import Negative, Positive

Generator = Callable[[random.Random, str, str], str]
Transform = Callable[[random.Random, str], tuple[str, tuple[str, ...]]]


@dataclass(frozen=True, slots=True)
class Block:
    """A parsed template."""

    shape: str
    language: str
    body: str


HEAD = re.compile(r"^=== (.+) \| ([a-z]{2})$")
MARK = re.compile(
    r"<<(?P<gen>[a-z0-9_]+)(?::(?P<arg>[^@|<>\n]*))?(?:\|(?P<tr>[a-z0-9]+))?(?:@(?P<ref>[a-z]))?>>"
    r"|<~(?P<pgen>[a-z0-9_]+)(?::(?P<parg>[^@|<>~\n]*))?(?:\|(?P<ptr>[a-z0-9]+))?(?:@(?P<pref>[a-z]))?~>"
    r"|\{\+(?P<keep>.+?)\+\}",
    re.DOTALL,
)
LEADS = {
    "en": (
        "Quick note before I leave for today:\n",
        "As discussed on the phone this morning:\n",
        "Found this while cleaning up the old folder:\n",
        "For the handover document:\n",
        "Somebody pasted this into the public channel:\n",
        "Answer from the knowledge base:\n",
    ),
    "zh": ("各位同事早上好,下面是今天要补充的信息,请查收:\n", "刚才会议上提到的内容我整理在这里,供大家参考。\n"),
    "ja": (
        "お疲れさまです。総務の山本です。以下のとおり連絡します。\n",
        "先ほどの件、念のためこちらにも書いておきますね。\n",
    ),
    "ko": ("안녕하세요, 총무팀에서 알려 드립니다. ", "아까 말씀드린 내용 정리해서 공유드려요. "),
}
GENERATORS: dict[str, Generator] = {}
TRANSFORMS: dict[str, Transform] = {}


def generator(name: str) -> Callable[[Generator], Generator]:
    """Register a value generator under a name."""

    def add(function: Generator) -> Generator:
        GENERATORS[name] = function
        return function

    return add


def transform(name: str) -> Callable[[Transform], Transform]:
    """Register a transform (shown text and the pieces that must be gone) under a name."""

    def add(function: Transform) -> Transform:
        TRANSFORMS[name] = function
        return function

    return add


def blocks(raw: str) -> list[Block]:
    """Parse a raw block into templates."""
    found: list[Block] = []
    for chunk in re.split(r"(?m)^(?==== )", raw):
        lines = chunk.strip("\n").split("\n")
        head = HEAD.match(lines[0])
        if head is None:
            if chunk.strip():
                raise ValueError(f"no head line: {lines[0]!r}")
            continue
        body = "\n".join(lines[1:]).replace("~+\n", "")
        found.append(Block(head[1], head[2], body))
    return found


class Renderer:
    """Fills one template and collects what is secret and what must survive."""

    def __init__(self, rng: random.Random, language: str) -> None:
        """Start with nothing collected."""
        self.rng = rng
        self.language = language
        self.secrets: list[str] = []
        self.keeps: list[str] = []
        self.named: dict[str, tuple[str, tuple[str, ...]]] = {}

    def value(self, gen: str, arg: str, tr: str, ref: str) -> tuple[str, tuple[str, ...]]:
        """Make (or repeat) one value: its shown form and its pieces."""
        if ref and ref in self.named:
            return self.named[ref]
        plain = GENERATORS[gen](self.rng, arg, self.language)
        made = TRANSFORMS[tr](self.rng, plain) if tr else (plain, (plain,))
        if ref:
            self.named[ref] = made
        return made

    def put(self, match: re.Match[str]) -> str:
        """Replace one mark."""
        if match["keep"] is not None:
            self.keeps.append(match["keep"])
            return match["keep"]
        if match["pgen"] is not None:
            return self.value(match["pgen"], match["parg"] or "", match["ptr"] or "", match["pref"] or "")[0]
        shown, pieces = self.value(match["gen"], match["arg"] or "", match["tr"] or "", match["ref"] or "")
        self.secrets += [piece for piece in pieces if piece not in self.secrets]
        return shown

    def fill(self, body: str) -> str:
        """Replace all marks of a template."""
        return MARK.sub(self.put, body)


def same_url(text: str, keep: str, secret: str) -> bool:
    """Whether a keep stands in the same URL as a secret (then masking the whole URL is fine)."""
    first, second = sorted(((text.find(keep), keep), (text.find(secret), secret)))
    if re.search(r"\s", text[first[0] + len(first[1]) : second[0]]):
        return False
    start = max(text.rfind(char, 0, first[0]) for char in " \n\t") + 1
    return "://" in text[start : second[0] + len(second[1])]


def render_positives(kind: str, templates: list[Block], seed: int) -> list[Positive]:
    """Render templates as positives of one kind."""
    made: list[Positive] = []
    for index, block in enumerate(templates):
        renderer = Renderer(random.Random(f"{seed}/{kind}/{block.shape}/{index}"), block.language)
        text = renderer.fill(block.body)
        secrets = tuple(renderer.secrets)
        keeps = tuple(
            keep
            for keep in renderer.keeps
            if not any(keep in one or one in keep or same_url(text, keep, one) for one in secrets)
        )
        leads = LEADS.get(block.language, ())
        if leads and (len(text) < 40 or not keeps):
            lead = leads[index % len(leads)]
            text, keeps = lead + text, (*keeps, lead.strip())
        made.append(Positive(kind, block.shape, block.language, text, secrets, keeps))
    return made


def render_negatives(raw: str, seed: int, label: str) -> list[Negative]:
    """Render a raw block as negatives."""
    made: list[Negative] = []
    for index, block in enumerate(blocks(raw)):
        renderer = Renderer(random.Random(f"{seed}/neg/{label}/{block.shape}/{index}"), block.language)
        made.append(Negative(block.shape, block.language, renderer.fill(block.body)))
    return made
