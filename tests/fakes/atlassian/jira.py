"""Jira's issues, projects and files over HTTP, in both flavours."""

from tests.fakes.atlassian import issue_search, issues
from tests.fakes.atlassian.people import jira_user
from tests.fakes.atlassian.records import AtlassianError, Attachment, Body
from tests.fakes.atlassian.routing import Answer, Route, SiteRequest, jira_slice, page_bean, route
from tests.fakes.atlassian.tracker_records import Issue, IssueComment, Project
from tests.fakes.atlassian.wiki_pages import given as given_file

NO_ISSUE = "Issue does not exist or you do not have permission to see it."


def by_name(asked: SiteRequest, name: str) -> Issue | None:
    """The issue of an id or key, also a former one, that the caller may view."""
    for each in asked.world.issues.values():
        if name == each.id or name.upper() == each.key.upper() or name.upper() in each.former:
            return each if asked.rights.issue(each) else None
    return None


def one(asked: SiteRequest) -> Issue:
    """The issue that a path names. Raises 404, also when the caller may not view it."""
    found = by_name(asked, asked.params["issue"])
    if found is None:
        raise AtlassianError(404, NO_ISSUE)
    return found


def found_project(asked: SiteRequest, name: str) -> Project:
    """The project of an id or key, also a former one. Raises 404."""
    for each in asked.world.projects.values():
        if name == each.id or name.upper() in {each.key, *each.former}:
            if asked.rights.browse(each) or (asked.rights.admin and asked.rights.live):
                return each
            break
    raise AtlassianError(404, f"No project could be found with key '{name}'.")


def issue(asked: SiteRequest) -> Answer:
    """One issue."""
    return issues.issue(asked, one(asked), asked.many("fields") or ["*all"], asked.many("expand"))


def comments(asked: SiteRequest) -> Answer:
    """The comments of an issue that the caller may see."""
    rows = issues.comments(asked, one(asked))
    if asked.one("orderBy") == "-created":
        rows = rows[::-1]
    part = jira_slice(asked, rows, most=5000, default=5000 if asked.cloud else 1048576)
    shown = [issues.comment(asked, each) for each in part.rows]
    return {"startAt": part.start, "maxResults": part.limit, "total": part.total, "comments": shown}


def _comment(asked: SiteRequest) -> IssueComment:
    for each in issues.comments(asked, one(asked)):
        if each.id == asked.params["comment"]:
            return each
    raise AtlassianError(404, f"Can not find a comment for the id: {asked.params['comment']}.")


def comment(asked: SiteRequest) -> Answer:
    """One comment."""
    return issues.comment(asked, _comment(asked))


def remote_links(asked: SiteRequest) -> Answer:
    """Links from an issue to elsewhere."""
    found = one(asked)
    return [issues.remote(asked, found, each) for each in found.remote_links]


# files


def _file(asked: SiteRequest) -> Attachment:
    for each in asked.world.issues.values():
        for found in each.attachments:
            if found.id == asked.params["file"] and asked.rights.issue(each):
                return found
    raise AtlassianError(404, f"The attachment with id '{asked.params['file']}' does not exist")


def file(asked: SiteRequest) -> Answer:
    """What is known of a file."""
    shown = issues.attachment(asked, _file(asked))
    return shown | ({"id": int(shown["id"])} if asked.cloud else {})


def file_content(asked: SiteRequest) -> Answer:
    """A file: on Cloud a redirect to the host for media, its bytes on Data Center or with redirect=false."""
    found = _file(asked)
    if asked.one("redirect") == "false":
        asked.cloud = False
    return given_file(asked, found, 303)


# projects


def _project(asked: SiteRequest, found: Project) -> Body:
    shown = issues.project(asked, found) | {"lead": jira_user(asked, found.lead), "description": ""}
    if found.archived:
        shown["archived"] = True
    return shown


def _projects(asked: SiteRequest) -> list[Project]:
    rows = [each for each in asked.world.projects.values() if asked.rights.browse(each) and not each.archived]
    return sorted(rows, key=lambda each: each.key)


def projects(asked: SiteRequest) -> Answer:
    """Cloud's projects that the caller may browse."""
    return page_bean(asked, _projects(asked), lambda each: _project(asked, each))


def all_projects(asked: SiteRequest) -> Answer:
    """Data Center's projects, at once."""
    return [_project(asked, each) for each in _projects(asked)]


def project(asked: SiteRequest) -> Answer:
    """One project."""
    return _project(asked, found_project(asked, asked.params["project"]))


def fields(asked: SiteRequest) -> Answer:
    """The fields of issues."""
    names = ("summary", "description", "status", "labels", "components", "fixVersions", "comment", "updated")
    rows: list[Body] = [{"id": each, "name": each.capitalize(), "custom": False} for each in names]
    own = asked.world.custom_fields.values()
    rows += [{"id": each.id, "name": each.name, "custom": True, "schema": {"type": each.kind}} for each in own]
    return [
        row | {"orderable": True, "navigable": True, "searchable": True} | ({"key": row["id"]} if asked.cloud else {})
        for row in rows
    ]


_W = "read:jira-work"
_BOTH = [
    ("/issue/{issue}", issue),
    ("/issue/{issue}/comment", comments),
    ("/issue/{issue}/comment/{comment}", comment),
    ("/issue/{issue}/remotelink", remote_links),
    ("/attachment/{file}", file),
    ("/project/{project}", project),
    ("/field", fields),
]


def _routes(base: str) -> list[Route]:
    return [route(f"{base}{path}", handler, _W) for path, handler in _BOTH]


CLOUD: list[Route] = [
    route("/rest/api/3/search/jql", issue_search.enhanced, _W),
    route("/rest/api/3/search/jql", issue_search.enhanced, _W, "POST"),
    route("/rest/api/3/search/approximate-count", issue_search.count, _W, "POST"),
    route("/rest/api/[23]/search", issue_search.removed, _W),
    route("/rest/api/[23]/search", issue_search.removed, _W, "POST"),
    route("/rest/api/3/attachment/content/{file}", file_content, _W),
    route("/rest/api/3/project/search", projects, _W),
    *_routes("/rest/api/3"),
]
DATA_CENTER: list[Route] = [
    route("/rest/api/2/search", issue_search.search, ""),
    route("/rest/api/2/search", issue_search.search, "", "POST"),
    route("/rest/api/2/project", all_projects, ""),
    route("/secure/attachment/{file}/{name}", file_content, ""),
    *_routes("/rest/api/2"),
]
