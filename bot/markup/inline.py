"""What stands in a paragraph of Markdown, as runs: styles, links, images, markers of citations, addresses. Pure."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby

from markdown_it.tree import SyntaxTreeNode

from bot.markup.parts import Run, Style
from bot.markup.urls import NOTHING, Allowed, pretends, web_url

_STYLES: Mapping[str, Style] = {"strong": "bold", "em": "italic", "s": "strike"}
_LIVE = re.compile(r"\[(\d{1,3})\]|https?://[^\s<>\"'`]+", re.IGNORECASE)
_AFTER_URL = ".,;:!?)]}*_~"
"""What stands behind an address in prose more often than it ends one."""


@dataclass(frozen=True, slots=True)
class Links:
    """What may be live in a text. markers: the address of each citation by its number, where it is a web address."""

    allowed: Allowed = NOTHING
    markers: Mapping[int, str] = field(default_factory=dict)

    @classmethod
    def of(cls, cited: Mapping[int, str]) -> "Links":
        """What the citations of an answer allow. cited: their addresses by number."""
        markers = {number: url for number, each in cited.items() if (url := web_url(each))}
        return cls(Allowed.of(cited.values()), markers)


NONE = Links()
"""Nothing is live."""


def inline(node: SyntaxTreeNode, links: Links) -> tuple[Run, ...]:
    """The runs of a paragraph, a heading or a cell of a table."""
    return merged(run for child in node.children for run in _runs(child.children, (), links))


def merged(runs: Iterable[Run]) -> tuple[Run, ...]:
    """The runs with neighbours of one style and address as one, and without empty ones."""
    alike = groupby(filter(lambda run: run.text, runs), key=lambda run: (run.styles, run.url))
    return tuple(Run("".join(run.text for run in group), *kind) for kind, group in alike)


def words(runs: Iterable[Run]) -> str:
    """What the runs say, on one line."""
    return "".join(run.text for run in runs).replace("\n", " ")


def live(text: str, styles: tuple[Style, ...], links: Links) -> Iterator[Run]:
    """A text with the markers of citations, and the addresses that are allowed, as links."""
    done = 0
    for found in _LIVE.finditer(text):
        shown, url = _target(found, links)
        if url:
            yield Run(text[done : found.start()], styles)
            yield Run(shown, styles, url)
            done = found.start() + len(shown)
    yield Run(text[done:], styles)


def _target(found: re.Match[str], links: Links) -> tuple[str, str]:
    """What is shown of a marker or an address, and where it leads; nowhere where it is not allowed."""
    if found[1]:
        return found[0], links.markers.get(int(found[1]), "")
    shown = found[0].rstrip(_AFTER_URL)
    return shown, links.allowed.link(shown)


def _runs(nodes: Sequence[SyntaxTreeNode], styles: tuple[Style, ...], links: Links) -> Iterator[Run]:
    for node in nodes:
        match node.type:
            case "text":
                yield from live(node.content, styles, links)
            case "softbreak" | "hardbreak":
                # a line of its own stays one: commands stand on lines
                yield Run("\n", styles)
            case "code_inline":
                yield Run(node.content, (*styles, "code"))
            case "link":
                yield from _link(node, styles, links)
            case "image":
                yield from _image(node, styles, links)
            case other:
                style = _STYLES.get(other)
                inside = styles if style is None or style in styles else (*styles, style)
                yield from _runs(node.children, inside, links)


def _link(node: SyntaxTreeNode, styles: tuple[Style, ...], links: Links) -> Iterator[Run]:
    """A link: live where it is allowed, the plain address where its label names another host, else label and
    address."""
    target = str(node.attrs.get("href", ""))
    label = merged(_runs(node.children, styles, NONE))
    said = words(label).strip()
    url = links.allowed.link(target)
    if not said or said in (target, url) or pretends(said, target):
        yield Run(url or target, styles, url)
    elif url:
        yield from (replace(run, url=url) for run in label)
    else:
        yield from label
        # a link to nowhere, and mail to the very name that the label gives, say no more than the label
        yield Run(f" ({target})" if target and target != f"mailto:{said}" else "", styles)


def _image(node: SyntaxTreeNode, styles: tuple[Style, ...], links: Links) -> Iterator[Run]:
    """An image: its alternative text, and its address in brackets."""
    target = str(node.attrs.get("src", ""))
    alternative = words(_runs(node.children, (), NONE))
    url = links.allowed.link(target)
    yield Run(f"{alternative} (" if alternative else "(", styles)
    yield Run(url or target, styles, url)
    yield Run(")", styles)
