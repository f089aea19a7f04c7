"""Makes documents of an issue: the issue itself, each comment that not all its readers see, and its files."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from urllib.parse import quote

from domain.access import Acl
from domain.documents import digest
from indexer.parse.formats import is_readable
from indexer.sources.atlassian.site import AtlassianSite
from indexer.sources.atlassian.timestamps import moment
from indexer.sources.connector import ListedDocument, SkippedDocument
from indexer.sources.jira.api import Row
from indexer.sources.jira.issue_names import ATTACHMENT, COMMENT, ISSUE
from indexer.sources.jira.issue_restriction import RESTRICTION, restriction_mark
from indexer.sources.jira.options import JiraOptions
from indexer.sources.jira.related_issues import RelatedIssue, comment_mark, related_issues

BUNDLE_REVISION = "2"
"""Raise it whenever the same issue would give another bundle: then all issues are read again."""
ACL_FIELDS = ("project", "security", RESTRICTION, "reporter", "assignee")
"""The fields that decide whom an issue admits, beside those of users and groups that schemes name."""
LISTED_FIELDS = (
    *("summary", "updated", "created", *ACL_FIELDS, "attachment", "comment"),
    *("issuelinks", "parent", "subtasks"),
)
"""The fields that versions and rights need, beside those of users and groups that schemes name."""
TEXT_FIELDS = (
    *("description", "labels", "components", "fixVersions", "versions", "issuetype", "status", "resolution"),
    *("resolutiondate", "priority", "duedate"),
)
"""The fields that an issue's text needs as well."""


@dataclass(frozen=True, slots=True)
class IssueDraft:
    """An issue before it is known which other issues its text may name."""

    document: ListedDocument
    """As it is listed; the version lacks its end, and the parts are the comments alone."""
    acl: Acl
    """Who may read it."""
    seen: tuple[str, ...]
    """All that changes its text beside the fields in the version."""
    related: tuple[RelatedIssue, ...]
    """The issues that its text may name, to readers who may see these."""
    rest: Sequence[ListedDocument | SkippedDocument]
    """Its files and restricted comments."""


@dataclass(slots=True)
class IssueDocuments:
    """Makes listed documents of issues.

    files: of every attachment that was listed its issue's id and its media type.
    """

    site: AtlassianSite
    options: JiraOptions
    files: dict[str, tuple[str, str]] = field(default_factory=dict)

    def draft(
        self,
        row: Row,
        acl: Acl,
        said: list[Row],
        rights: str,
        epic: str,
        rest: Sequence[ListedDocument | SkippedDocument],
    ) -> IssueDraft:
        """The issue itself. said: the comments in it. rights: see `rights_of`. epic: see `related_issues`."""
        fields, key = row["fields"], str(row["key"])
        project = fields.get("project") or {}
        seen = [BUNDLE_REVISION, *self.options.fields, str(project.get("name"))]
        seen += [f"{each.get('id')} {each.get('updated')}" for each in said]
        seen += [f"{each.get('id')}" for each in fields.get("attachment") or ()]
        others = tuple(related_issues(fields, epic))
        seen += [f"{each.way} {each.key}" for each in others]  # also those that the text must not name
        document = ListedDocument(
            external_id=f"{ISSUE}{row['id']}",
            path=_path(row),
            url=self._browse(key),
            title=_title(row),
            modified_at=moment(fields.get("updated")),
            acl=acl,
            version=f"{fields.get('updated')} {key} {rights}",
            parts=frozenset(map(comment_mark, said)),
        )
        return IssueDraft(document, acl, tuple(seen), others, rest)

    def issue(self, draft: IssueDraft, shown: Iterable[RelatedIssue]) -> ListedDocument:
        """The issue as it is listed. shown: the issues that its text names."""
        named = list(shown)
        seen = [*draft.seen, *(f"{each.way} {each.key}" for each in named)]
        version = f"{draft.document.version} {digest(*seen).hex()}"
        parts = frozenset(draft.document.parts or ()).union(each.mark for each in named)
        return replace(draft.document, version=version, parts=parts)

    def comment(self, row: Row, comment: Row, acl: Acl, restriction: str) -> ListedDocument:
        """A comment that not all readers of its issue see. restriction: of `restriction_of` and `rights_of`."""
        number, key = str(comment.get("id")), str(row["key"])
        title = f"{_title(row)} (restricted comment)"
        version = f"{comment.get('updated')} {restriction} {digest(BUNDLE_REVISION, title).hex()}"
        url = f"{self._browse(key)}?focusedCommentId={number}"
        at = moment(comment.get("updated"))
        return ListedDocument(
            f"{COMMENT}{row['id']}/{number}", f"{_path(row)}/comment {number}", url, title, at, acl, version
        )

    def attachments(self, row: Row, acl: Acl) -> Iterator[ListedDocument | SkippedDocument]:
        """The files of an issue; those of other kinds and sizes are passed."""
        for each in row["fields"].get("attachment") or ():
            number, name = str(each.get("id")), str(each.get("filename") or "file")
            self.files[number] = str(row["id"]), _media_type(each)
            path, external_id = f"{_path(row)}/{name.replace('/', '_')}", f"{ATTACHMENT}{number}"
            reason = self._reason_to_pass(each, name)
            if reason:
                yield SkippedDocument(external_id, path, reason, acl=acl)
                continue
            url = self.site.link(f"/secure/attachment/{number}/{quote(name)}")
            created = each.get("created")
            version = f"{created} {each.get('size')} {digest(BUNDLE_REVISION, str(row['key']), name).hex()}"
            title = f"{row['key']}: {name}"
            yield ListedDocument(external_id, path, url, title, moment(created), acl, version, attached=True)

    def _reason_to_pass(self, attachment: Row, name: str) -> str:
        size = attachment.get("size")
        if not self.options.attachments:
            return "attachments are not indexed, as configured"
        if isinstance(size, int) and size > self.options.max_bytes:
            return f"larger than {self.options.max_bytes / 1e6:g} MB"
        return "" if is_readable(name, _media_type(attachment)) else "not a document"

    def _browse(self, key: str) -> str:
        return self.site.link(f"/browse/{key}")


def rights_of(row: Row, fields: set[str]) -> str:
    """A digest of what of an issue decides whom it admits. fields: those of users and groups that schemes name."""
    given, project = row["fields"], row["fields"].get("project") or {}
    level = given.get("security", "not told")
    parts = [str(project.get("id")), str(level.get("id")) if isinstance(level, dict) else str(level or "")]
    deciding = [(name, _ids(given.get(name))) for name in ("reporter", "assignee", *sorted(fields))]
    deciding.append((RESTRICTION, restriction_mark(given)))
    parts += [
        f"{name} {ids}" for name, ids in deciding if ids
    ]  # left out where empty, so that a newly named field changes few digests
    return digest(*parts).hex()


def restriction_of(comment: Row, *, internal: bool) -> str:
    """A digest of whom a comment is restricted to."""
    shown = comment.get("visibility")
    shown = shown if isinstance(shown, dict) else {}
    return digest(*(str(shown.get(each)) for each in ("type", "value", "identifier")), str(internal)).hex()


def restrictions_of(comment: Row) -> tuple[str, ...]:
    """The same for a comment whose issue is not known here. Two digests where the comment does not say whether it is a
    service desk's note."""
    row: Row = {"fields": {"project": {"projectTypeKey": "service_desk"}}}
    notes = (is_internal(comment, row),) if tells_notes(comment) else (True, False)
    return tuple(restriction_of(comment, internal=each) for each in notes)


def is_internal(comment: Row, row: Row) -> bool:
    """Whether a comment is a service desk's internal note. A desk's comment that does not say so counts as one."""
    if isinstance(comment.get("jsdPublic"), bool):
        return not comment["jsdPublic"]
    if isinstance(comment.get("properties"), list):
        noted = [each.get("value") for each in comment["properties"] if each.get("key") == "sd.public.comment"]
        return any(not isinstance(value, dict) or value.get("internal") is not False for value in noted)
    return is_of_desk(row)


def is_of_desk(row: Row) -> bool:
    """Whether an issue is in a service desk. A project that does not tell its type counts as one."""
    kind: object = (row["fields"].get("project") or {}).get("projectTypeKey", "service_desk")
    return kind == "service_desk"


def tells_notes(comment: Row) -> bool:
    """Whether a comment says of itself if it is a service desk's note."""
    return isinstance(comment.get("jsdPublic"), bool) or isinstance(comment.get("properties"), list)


def _title(row: Row) -> str:
    return f"{row['key']}: {row['fields'].get('summary') or ''}"


def _path(row: Row) -> str:
    project = row["fields"].get("project") or {}
    return f"{project.get('key')}/{row['key']}"


def _ids(value: object) -> str:
    """The ids of users or groups in a field."""
    every = value if isinstance(value, list) else [value]
    shown = [each for each in every if isinstance(each, dict)]
    ids = (each.get("accountId") or each.get("key") or each.get("groupId") or each.get("name") for each in shown)
    return " ".join(sorted(map(str, ids)))


def _media_type(attachment: Row) -> str:
    """What Jira says that a file is: as whoever uploaded it said, so never a type that only connectors give."""
    said = str(attachment.get("mimeType") or "")
    return "" if "vnd.kb-agent" in said.lower() else said
