"""The running text of Confluence storage format: links, mentions, dates, emoticons and macros within a line."""

import re
from collections.abc import Callable, Iterator

from indexer.parse import macros
from indexer.parse.confluence_storage_tree import StorageElement
from indexer.parse.html_elements import BREAK, is_block_name
from indexer.parse.mentions import MentionCollector
from indexer.parse.outline import one_line
from indexer.parse.strikethrough import is_struck
from indexer.parse.superscripts import as_superscript

MACROS = ("ac:structured-macro", "ac:macro")
BODIES = ("ac:rich-text-body", "ac:plain-text-body")
_LINK_BODIES = ("ac:link-body", "ac:plain-text-link-body")
_BLOCKS = {
    *("ac:layout", "ac:layout-section", "ac:layout-cell", "ac:task-list", "ac:task"),
    *("ac:adf-extension", "ac:adf-node", "ac:adf-content"),
}
_NAMES = {
    **dict.fromkeys(("ri:page", "ri:blog-post"), "ri:content-title"),
    "ri:content-entity": "ri:content-id",
    "ri:attachment": "ri:filename",
    "ri:space": "ri:space-key",
}
"""The attribute that says what a resource is called."""
_GAP = "\x1f"
"""Around what is shown as a thing of its own in a line: a space where two words would meet, else nothing."""
_GAPS = re.compile(f"{_GAP}+")
_UNSEEN = {
    *("ac:parameter", "ac:default-parameter", "ac:placeholder", "ac:adf-attribute", "script", "style"),
    *("ac:task-id", "ac:task-uuid", "ac:task-status"),
}


def is_block(element: StorageElement) -> bool:
    """Whether `element` itself is set apart from the text around it."""
    if element.name in MACROS:
        is_transparent = macro_name(element) in macros.TRANSPARENT
        return not is_transparent and next(element.elements(*BODIES), None) is not None
    return element.name in _BLOCKS or is_block_name(element.name)


def stands_apart(element: StorageElement) -> bool:
    """Whether `element` is, or contains, a block; links and images never do, whatever is in them."""
    return is_block(element) or (element.holds_block and element.name not in {"ac:link", "ac:image"})


def is_unseen(element: StorageElement) -> bool:
    """Whether no reader sees what is in `element`, or only struck out."""
    return element.name in _UNSEEN or is_struck(element.name, element.attributes.get("style"))


def macro_name(element: StorageElement) -> str:
    """What the macro is called, in lower case."""
    return element.attributes.get("ac:name", "").strip().lower()


def parameters(element: StorageElement) -> dict[str, str]:
    """The parameters of a macro: their text, or the names of the resources in them."""
    found: dict[str, str] = {}
    for parameter in element.elements("ac:parameter", "ac:default-parameter"):
        names = [_name(resource) for resource in resources(parameter)]
        found[parameter.attributes.get("ac:name", "")] = one_line(parameter.text()) or ", ".join(filter(None, names))
    return found


def resources(element: StorageElement) -> Iterator[StorageElement]:
    """The `ri:` elements anywhere in `element`, outermost ones only."""
    for child in element.elements():
        if _is_resource(child):
            yield child
        else:
            yield from resources(child)


def _is_resource(element: StorageElement) -> bool:
    return element.name.startswith("ri:")


def settled(text: str) -> str:
    """`text` as a reader sees it, a line break where BREAK was."""

    def space(gap: re.Match[str]) -> str:
        before, after = text[gap.start() - 1 : gap.start()], text[gap.end() : gap.end() + 1]
        return " " if before.isalnum() and after.isalnum() else ""

    return _GAPS.sub(space, text).replace("\n", " ").replace(BREAK, "\n")


class StorageInline:
    """Makes text of inline content, and notes the pages, files, people, issues and URLs that it names."""

    def __init__(self, mentioned: MentionCollector) -> None:
        self._mentioned = mentioned
        self._handlers: dict[str, Callable[[StorageElement], str]] = {
            "br": lambda _: BREAK,
            "sup": lambda element: as_superscript(self._children(element)),
            "a": self._anchor,
            "img": lambda element: f"{_GAP}{element.attributes.get('alt', '')}{_GAP}",
            "time": self._time,
            "ac:link": self._link,
            "ac:image": self._image,
            "ac:emoticon": self._emoticon,
            **dict.fromkeys(MACROS, self.macro),
        }

    def text(self, element: StorageElement) -> str:
        """The text of `element` for `settled`: white space as it is, BREAK where a line ends."""
        if is_unseen(element):
            return ""
        handle = self._handlers.get(element.name)
        if handle is not None:
            return handle(element)
        inner = self._children(element)
        return f"{BREAK}{inner}{BREAK}" if is_block(element) else inner

    def line(self, element: StorageElement) -> str:
        """The text of `element` on one line."""
        return one_line(settled(self.text(element)))

    def macro(self, element: StorageElement) -> str:
        """A macro in running text: what it says of itself, and its body."""
        name, given = macro_name(element), parameters(element)
        self.note_parameters(element)
        parts = [*(self._children(part) for part in element.elements(*BODIES)), self.misplaced(element, *BODIES)]
        body = "".join(f"{_GAP}{part}{_GAP}" for part in parts)
        if name == "status":
            return f"{_GAP}{given.get('title', '')}{_GAP}{body}"
        if name == "jira":
            return f"{_GAP}{macros.jira_text(given, self._mentioned)}{_GAP}{body}"
        if name in macros.INCLUDES:
            return self._include(element, given)
        if name in macros.TRANSPARENT or macros.is_generated(name):
            return "".join(parts)
        return f"{_GAP}{macros.described(name, given)}{_GAP}{body}"

    def note_parameters(self, element: StorageElement) -> None:
        """Note the pages, files and people that the parameters of a macro name."""
        is_included = macro_name(element) in macros.INCLUDES
        for parameter in element.elements("ac:parameter", "ac:default-parameter"):
            for resource in resources(parameter):
                self._note(resource, included=is_included)

    def misplaced(self, element: StorageElement, *places: str) -> str:
        """The text in `element` that does not belong there, for example because an end tag is missing.

        places: names of the elements in it that are meant to hold text.
        """
        parts = [
            child if isinstance(child, str) else self.misplaced(child) if _is_resource(child) else self.text(child)
            for child in element.children
            if isinstance(child, str) or child.name not in places
        ]
        text = "".join(parts)
        return f"{_GAP}{text}" if text.strip() else ""

    def _children(self, element: StorageElement) -> str:
        return "".join(child if isinstance(child, str) else self.text(child) for child in element.children)

    def _anchor(self, element: StorageElement) -> str:
        target = element.attributes.get("href", "")
        said = self._children(element)
        if not target.startswith("#"):
            self._mentioned.url(target, said)
        return said or target

    def _emoticon(self, element: StorageElement) -> str:
        """The character, or the name between colons."""
        get = element.attributes.get
        name = get("ac:name", "").strip()
        said = get("ac:emoji-fallback", "") or get("ac:emoji-shortname", "") or (f":{name}:" if name else "")
        return said + self.misplaced(element)

    def _time(self, element: StorageElement) -> str:
        """A day as it is written for machines, or else for people."""
        day = element.attributes.get("datetime", "")
        return day + self.misplaced(element) if day else self._children(element)

    def _link(self, element: StorageElement) -> str:
        """A link to a page, file, person or place: its own text, else what it is called."""
        names = [self._note(resource) for resource in resources(element)]
        body = "".join(self._children(part) for part in element.elements(*_LINK_BODIES))
        said = body if body.strip() else next(filter(None, names), "") or element.attributes.get("ac:anchor", "")
        return said + self.misplaced(element, *_LINK_BODIES)

    def _image(self, element: StorageElement) -> str:
        """What is said of an image: alternative text, else title, else file name; then its caption."""
        names = [self._note(resource) for resource in resources(element)]
        said = [element.attributes.get("ac:alt", ""), element.attributes.get("ac:title", ""), *names]
        captions = [self._children(part) for part in element.elements("ac:caption")]
        text = " ".join(filter(None, [next(filter(None, said), ""), *captions]))
        return f"{_GAP}{text}{_GAP}{self.misplaced(element, 'ac:caption')}"

    def _include(self, element: StorageElement, given: dict[str, str]) -> str:
        """The name of the included page; its text may have other readers."""
        name, space, title = macros.included(given)
        if not any(True for part in element.elements("ac:parameter", "ac:default-parameter") for _ in resources(part)):
            self._mentioned.page(title, space=space, included=True)
        return f"{BREAK}Included page: {name}{BREAK}" if name else ""

    def _note(self, resource: StorageElement, *, included: bool = False) -> str:
        """Note the target of `resource`; its name."""
        get = resource.attributes.get
        match resource.name:
            case "ri:page" | "ri:blog-post":
                self._mentioned.page(get("ri:content-title", ""), space=get("ri:space-key", ""), included=included)
            case "ri:content-entity":
                self._mentioned.page(page_id=get("ri:content-id", ""), included=included)
            case "ri:attachment":
                self._mentioned.attachment(get("ri:filename", ""))
                for container in resources(resource):
                    self._note(container)
            case "ri:url":
                self._mentioned.url(get("ri:value", ""))
            case "ri:user":  # a name is nowhere in it
                account, key = get("ri:account-id", ""), get("ri:userkey", "")
                who = (account and f"accountid:{account}") or (key and f"user:{key}") or get("ri:username", "")
                return self._mentioned.person(who)
        return _name(resource)


def _name(resource: StorageElement) -> str:
    """What a resource is called where it is shown without a text of its own."""
    get = resource.attributes.get
    return get(_NAMES[resource.name], "") if resource.name in _NAMES else get("ri:value", "") or get("ri:parameter", "")
