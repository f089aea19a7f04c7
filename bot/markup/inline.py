"""What stands in a paragraph of Markdown, as runs: styles, links, images, markers of citations, addresses. Pure."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby

from markdown_it.tree import SyntaxTreeNode

from bot.markup.text_parts import TextRun, TextStyle
from bot.markup.urls import NO_ADDRESSES, AllowedAddresses, pretends, web_url

_STYLES: Mapping[str, TextStyle] = {"strong": "bold", "em": "italic", "s": "strike"}
_LIVE = re.compile(r"\[(\d{1,3})\]|https?://[^\s<>\"'`]+", re.IGNORECASE)
_AFTER_URL = ".,;:!?)]}*_~"
"""What stands behind an address in prose more often than it ends one."""


@dataclass(frozen=True, slots=True)
class AllowedLinks:
    """What may be live in a text. markers: the address of each citation by its number, where it is a web address."""

    allowed: AllowedAddresses = NO_ADDRESSES
    markers: Mapping[int, str] = field(default_factory=dict)

    @classmethod
    def of(cls, cited: Mapping[int, str]) -> "AllowedLinks":
        """What the citations of an answer allow. cited: their addresses by number."""
        markers = {number: url for number, each in cited.items() if (url := web_url(each))}
        return cls(AllowedAddresses.of(cited.values()), markers)


NO_LINKS = AllowedLinks()
"""Nothing is live."""


def inline(node: SyntaxTreeNode, links: AllowedLinks) -> tuple[TextRun, ...]:
    """The runs of a paragraph, a heading or a cell of a table."""
    return merged(run for child in node.children for run in _runs(child.children, (), links))


def merged(runs: Iterable[TextRun]) -> tuple[TextRun, ...]:
    """The runs with neighbours of one style and address as one, and without empty ones."""
    alike = groupby(filter(lambda run: run.text, runs), key=lambda run: (run.styles, run.url))
    return tuple(TextRun("".join(run.text for run in group), *kind) for kind, group in alike)


def words(runs: Iterable[TextRun]) -> str:
    """What the runs say, on one line."""
    return "".join(run.text for run in runs).replace("\n", " ")


def live(text: str, styles: tuple[TextStyle, ...], links: AllowedLinks) -> Iterator[TextRun]:
    """A text with the markers of citations, and the addresses that are allowed, as links."""
    done = 0
    for found in _LIVE.finditer(text):
        shown, url = _target(found, links)
        if url:
            yield TextRun(text[done : found.start()], styles)
            yield TextRun(shown, styles, url)
            done = found.start() + len(shown)
    yield TextRun(text[done:], styles)


def _target(found: re.Match[str], links: AllowedLinks) -> tuple[str, str]:
    """What is shown of a marker or an address, and where it leads; nowhere where it is not allowed."""
    if found[1]:
        return found[0], links.markers.get(int(found[1]), "")
    shown = found[0].rstrip(_AFTER_URL)
    return shown, links.allowed.link(shown)


def _runs(nodes: Sequence[SyntaxTreeNode], styles: tuple[TextStyle, ...], links: AllowedLinks) -> Iterator[TextRun]:
    for node in nodes:
        match node.type:
            case "text":
                yield from live(node.content, styles, links)
            case "softbreak" | "hardbreak":
                # a line of its own stays one: commands stand on lines
                yield TextRun("\n", styles)
            case "code_inline":
                yield TextRun(node.content, (*styles, "code"))
            case "link":
                yield from _link(node, styles, links)
            case "image":
                yield from _image(node, styles, links)
            case other:
                style = _STYLES.get(other)
                inside = styles if style is None or style in styles else (*styles, style)
                yield from _runs(node.children, inside, links)


def _link(node: SyntaxTreeNode, styles: tuple[TextStyle, ...], links: AllowedLinks) -> Iterator[TextRun]:
    """A link: live where it is allowed, the plain address where its label names another host, else label and
    address."""
    target = str(node.attrs.get("href", ""))
    label = merged(_runs(node.children, styles, NO_LINKS))
    said = words(label).strip()
    url = links.allowed.link(target)
    if not said or said in (target, url) or pretends(said, target):
        yield TextRun(url or target, styles, url)
    elif url:
        yield from (replace(run, url=url) for run in label)
    else:
        yield from label
        # a link to nowhere, and mail to the very name that the label gives, say no more than the label
        yield TextRun(f" ({target})" if target and target != f"mailto:{said}" else "", styles)


def _image(node: SyntaxTreeNode, styles: tuple[TextStyle, ...], links: AllowedLinks) -> Iterator[TextRun]:
    """An image: its alternative text, and its address in brackets."""
    target = str(node.attrs.get("src", ""))
    alternative = words(_runs(node.children, (), NO_LINKS))
    url = links.allowed.link(target)
    yield TextRun(f"{alternative} (" if alternative else "(", styles)
    yield TextRun(url or target, styles, url)
    yield TextRun(")", styles)
