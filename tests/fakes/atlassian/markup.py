"""Texts in the formats of Confluence and Jira, read without the page or issue that they come in."""

import json
from typing import Any

from domain.documents import ParsedFile
from indexer.parse import adf, confluence_storage, jira_wiki
from indexer.parse.formats import Unparsable
from indexer.parse.limits import ParseLimits
from indexer.parse.mentions import MentionCollector
from indexer.parse.outline import Outline

ADF, STORAGE, WIKI = "adf", "storage", "wiki"
_READERS: dict[str, Any] = {STORAGE: confluence_storage.add_fragment, WIKI: jira_wiki.add_fragment}


def read_markup(form: str, source: str, limits: ParseLimits | None = None) -> ParsedFile:
    """What `source` says. form: ADF, as JSON text; STORAGE; WIKI. Raises Unparsable."""
    if form == ADF:
        try:
            return read_adf(json.loads(source), limits)
        except ValueError:
            raise Unparsable("damaged JSON") from None
    return _read(_READERS[form], source, limits)


def read_adf(document: object, limits: ParseLimits | None = None) -> ParsedFile:
    """What an ADF document says, as a JSON parser gives it. Raises Unparsable."""
    return _read(adf.add_fragment, document, limits)


def _read(add: Any, source: object, limits: ParseLimits | None) -> ParsedFile:
    mentioned, out = MentionCollector(), Outline(limits or ParseLimits())
    add(out, source, mentioned)
    return out.finish(lone_heading_is_title=False, mentions=mentioned.all())
