"""Short forms for the tests of Confluence's storage format: macros and links, and what is read of a page."""

from domain.documents import ParsedFile
from tests.fakes.atlassian.markup import STORAGE
from tests.unit.indexer.parse.parsing import parsed, texts


def page(source: str) -> ParsedFile:
    return parsed(source, "page", STORAGE)


def said(source: str) -> list[str]:
    return texts(page(source))


def macro(name: str, /, body: str = "", **parameters: str) -> str:
    given = "".join(f'<ac:parameter ac:name="{key}">{value}</ac:parameter>' for key, value in parameters.items())
    return f'<ac:structured-macro ac:name="{name}">{given}{body}</ac:structured-macro>'


def rich(content: str) -> str:
    return f"<ac:rich-text-body>{content}</ac:rich-text-body>"


def plain(content: str) -> str:
    return f"<ac:plain-text-body><![CDATA[{content}]]></ac:plain-text-body>"


def link(resource: str, body: str = "") -> str:
    return f"<p><ac:link>{resource}{body}</ac:link></p>"
