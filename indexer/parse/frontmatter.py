"""The YAML before a Markdown text, read without aliases, tags or types: every value is a text."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import yaml

from indexer.parse import metadata

MAX_FRONT_MATTER_CHARACTERS = 65_536
"""Characters; what is longer is no front matter of a page."""
MAX_NAMED = 20
"""Documents that one replaces, at most."""
_REPLACES = ("replaces", "supersedes", "obsoletes")
_REPLACED_BY = ("replaced_by", "replaced-by", "superseded_by", "superseded-by")
_TEXTS = ("description", "summary", "abstract", "subtitle")
_ROLES = {
    "owner": "owner",
    "owners": "owner",
    "team": "team",
    "maintainer": "maintainer",
    "maintainers": "maintainer",
    "contact": "contact",
    "lead": "lead",
    "manager": "manager",
    "reviewer": "reviewer",
    "reviewers": "reviewer",
    "approver": "approver",
    "approved_by": "approved by",
    "reviewed_by": "reviewed by",
    "maintained_by": "maintained by",
    "responsible": "responsible",
    "approvers": "approver",
    "department": "department",
    "service": "service",
    "component": "component",
    "product": "product",
}
"""Keys whose values are names, with what they are said to be of the document."""
_UPDATED = ("updated", "lastmod", "last_updated", "last_modified", "modified", "date")


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """What a front matter says.

    description: what of it is written for readers, with the document's status. unread: its source when it could not be
    understood. lines: how many it takes in the file, marks included; 0 without one. replaces, replaced_by: others,
    by path or address. roles: whom or what it names, each behind its label: `owner: Platform`.
    """

    title: str = ""
    description: str = ""
    metadata: Mapping[str, str] = field(default_factory=dict)
    unread: str = ""
    lines: int = 0
    replaces: tuple[str, ...] = ()
    replaced_by: tuple[str, ...] = ()
    roles: tuple[str, ...] = ()


def read(source: str) -> FrontMatter:
    """What the YAML `source` says. YAML that is broken, too large, or no mapping is handed back as `unread`."""
    if not source.strip():
        return FrontMatter()
    lines = source.count("\n") + 3
    fields = _fields(source)
    if fields is None:
        return FrontMatter(unread=source, lines=lines)
    return FrontMatter(
        title=_first(fields, ("title",)),
        description="\n\n".join(filter(None, (_status(fields), _first(fields, _TEXTS)))),
        metadata=metadata.collect(
            labels=metadata.labels(
                text for key in ("labels", "tags", "keywords", "categories") for text in _texts(fields, key)
            ),
            author=", ".join(text for key in ("author", "authors") for text in _texts(fields, key)),
            updated=next(filter(None, (metadata.moment(_first(fields, (key,))) for key in _UPDATED)), ""),
            space=_first(fields, ("space",)),
        ),
        lines=lines,
        replaces=_named(fields, _REPLACES),
        replaced_by=_named(fields, _REPLACED_BY),
        roles=tuple(
            dict.fromkeys(f"{role}: {name}" for key, role in _ROLES.items() for name in _named(fields, (key,)))
        ),
    )


class _PlainLoader(yaml.SafeLoader):
    """Makes texts of all scalars and refuses aliases, with which a few lines become gigabytes."""

    yaml_implicit_resolvers: dict[str, list[tuple[str, str]]] = {}  # noqa: RUF012 - PyYAML reads it so

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        if self.check_event(yaml.AliasEvent):
            raise yaml.YAMLError("aliases are not read")
        return super().compose_node(parent, index)


def _fields(source: str) -> dict[str, object] | None:
    """The mapping in `source` with lower-case keys, or None."""
    if len(source) > MAX_FRONT_MATTER_CHARACTERS:
        return None
    try:
        loader = _PlainLoader(source)
        value = loader.get_single_data()
    except (yaml.YAMLError, ValueError, RecursionError):
        return None
    return {str(key).lower(): item for key, item in value.items()} if isinstance(value, dict) else None


def _texts(fields: Mapping[str, object], key: str) -> list[str]:
    """The value of `key` as texts: one, or those of a list, also of mappings with a name."""
    value = fields.get(key)
    items = value if isinstance(value, list) else [value]
    named = (item.get("name") if isinstance(item, dict) else item for item in items)
    return [item for item in named if isinstance(item, str)]


def _named(fields: Mapping[str, object], keys: tuple[str, ...]) -> tuple[str, ...]:
    named = (text.strip()[: metadata.LONGEST_VALUE] for key in keys for text in _texts(fields, key))
    return tuple(name for name in dict.fromkeys(named) if name)[:MAX_NAMED]


def _status(fields: Mapping[str, object]) -> str:
    """Such as `Status: superseded`: the text of the document need not say so again."""
    status = " ".join(_first(fields, ("status",)).split())[: metadata.LONGEST_VALUE]
    return f"Status: {status}" if status else ""


def _first(fields: Mapping[str, object], keys: tuple[str, ...]) -> str:
    return next((text for key in keys for text in _texts(fields, key)), "")
