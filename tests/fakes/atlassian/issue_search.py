"""JQL: which issues a caller finds, by Cloud's page tokens and by Data Center's offsets."""

import re
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

from tests.fakes.atlassian import issues, query
from tests.fakes.atlassian.records import AtlassianError, Body
from tests.fakes.atlassian.routing import Answer, SiteRequest, cut_out, decode, encode, jira_slice
from tests.fakes.atlassian.tracker_records import Issue

_ORDERS = {"updated", "created", "key"}
TOKEN_LIFE = timedelta(days=7)


def found(asked: SiteRequest, jql: str, fresh: frozenset[str] = frozenset()) -> list[Issue]:
    """What JQL finds of what the caller may view. fresh: ids that are found however new. Raises 400."""
    parsed = query.parse(jql)
    for name in parsed.order:
        if name not in _ORDERS:
            raise AtlassianError(400, f"Not able to sort using field '{name}'.")
    for clause in parsed.clauses:
        _check(asked, clause)
    seen_until = asked.world.now - asked.world.index_lag
    rows = [each for each in asked.world.issues.values() if each.updated <= seen_until or each.id in fresh]
    rows = [each for each in rows if parsed.holds(partial(_fits, asked, each)) and asked.rights.issue(each)]
    rows.sort(key=lambda each: -int(each.id))
    for name in reversed(parsed.order):
        rows.sort(key=partial(_place, name))
    return rows


def _check(asked: SiteRequest, clause: query.Clause) -> None:
    if clause.field != "project":
        return
    known = [each for each in asked.world.projects.values() if asked.rights.browse(each)]
    names = {word.lower() for each in known for word in (each.key, each.name, each.id, *each.former)}
    for value in clause.values:
        if value.lower() not in names:
            raise AtlassianError(400, f"The value '{value}' does not exist for the field 'project'.")


def _fits(asked: SiteRequest, issue: Issue, clause: query.Clause) -> bool:
    if clause.field in {"updated", "created"}:
        return _at(asked, clause, issue.updated if clause.field == "updated" else issue.created)
    home = asked.world.projects[issue.project]
    words = {
        "project": [home.key, home.name, home.id, *home.former],
        "key": [issue.key, issue.id, *issue.former],
    }
    if clause.field not in words:
        raise AtlassianError(400, f"Field '{clause.field}' does not exist or you do not have permission to view it.")
    return query.matches(clause, *words[clause.field])


def _at(asked: SiteRequest, clause: query.Clause, at: datetime) -> bool:
    value = clause.values[0]
    if re.fullmatch(r"\d+", value) and not clause.quoted:
        mine, limit = int(at.timestamp() * 1000), int(value)
        return {">": mine > limit, ">=": mine >= limit}.get(clause.op, mine == limit)
    user = asked.rights.user
    limit_at = query.moment(value, user.zone if user else "UTC")
    if limit_at is None:
        raise AtlassianError(400, f"Date value '{value}' for field '{clause.field}' is invalid.")
    return query.compared(clause, at, limit_at)


def _place(name: str, issue: Issue) -> Any:
    key, _, number = issue.key.rpartition("-")
    return (key, int(number)) if name == "key" else getattr(issue, name)


# Cloud


def _arguments(asked: SiteRequest) -> tuple[str, list[str], list[str], str, int, frozenset[str]]:
    body = asked.body if isinstance(asked.body, dict) else {}
    if asked.method == "POST":
        known = {
            "jql",
            "fields",
            "expand",
            "nextPageToken",
            "maxResults",
            "properties",
            "fieldsByKeys",
            "reconcileIssues",
        }
        if not set(body) <= known:
            raise AtlassianError(400, "Invalid request payload. Refer to the REST API documentation and try again.")
        expand = [each for each in str(body.get("expand") or "").split(",") if each]
        fresh = frozenset(str(each) for each in body.get("reconcileIssues") or ())
        most = body.get("maxResults", 50)
        return body.get("jql") or "", body.get("fields") or [], expand, body.get("nextPageToken") or "", most, fresh
    fresh = frozenset(asked.many("reconcileIssues"))
    most = asked.whole("maxResults", 50, 5000)
    return asked.one("jql"), asked.many("fields"), asked.many("expand"), asked.one("nextPageToken"), most, fresh


def enhanced(asked: SiteRequest) -> Answer:
    """Cloud's search/jql: without a total, by tokens that are good for one query and some days."""
    jql, fields, expand, token, most, fresh = _arguments(asked)
    if not query.parse(jql).clauses:
        raise AtlassianError(
            400, "Unbounded JQL queries are not allowed here. Please add a search restriction to your query."
        )
    wanted = fields or ["id"]
    limit = max(1, min(most, 5000 if set(wanted) <= {"id", "key"} else 100))
    rows = found(asked, jql, fresh)
    part = cut_out(asked, rows, _begin(asked, token, jql), limit)
    shown = [issues.issue(asked, each, wanted, expand) for each in part.rows]
    content: Body = {"issues": shown, "isLast": part.next is None}
    if part.next is not None:
        content["nextPageToken"] = encode(**{"from": part.next, "jql": jql, "at": asked.world.now.timestamp()})
    return content


def _begin(asked: SiteRequest, token: str, jql: str) -> int:
    if not token:
        return 0
    said = decode(token)
    start, at = said.get("from"), said.get("at")
    good = isinstance(start, int) and isinstance(at, float) and said.get("jql") == jql
    if not good or datetime.fromtimestamp(at, UTC) + TOKEN_LIFE < asked.world.now:  # type: ignore[arg-type]
        raise AtlassianError(400, "The provided next page token is invalid or expired.")
    return int(start)  # type: ignore[arg-type]


def count(asked: SiteRequest) -> Answer:
    """Cloud's approximate-count, which is exact here."""
    return {"count": len(found(asked, str(asked.given("jql") or "")))}


def removed(asked: SiteRequest) -> Answer:
    """Cloud's former search."""
    raise AtlassianError(
        410,
        "The requested API has been removed. Please migrate to the /rest/api/3/search/jql API. "
        "A full migration guideline is available at https://developer.atlassian.com/changelog/#CHANGE-2046",
    )


# Data Center


def search(asked: SiteRequest) -> Answer:
    """Data Center's search: startAt, maxResults, total."""
    if asked.method == "POST":
        body = asked.body if isinstance(asked.body, dict) else {}
        given = {name: [str(body[name])] for name in ("jql", "startAt", "maxResults") if name in body}
        given["fields"] = [",".join(body.get("fields") or ())]
        given["expand"] = [",".join(body.get("expand") or ())]
        asked.query = given
    part = jira_slice(asked, found(asked, asked.one("jql")), most=1000)
    fields = asked.many("fields") or ["*navigable"]
    shown = [issues.issue(asked, each, fields, asked.many("expand")) for each in part.rows]
    content: Body = {"expand": "schema,names", "startAt": part.start, "maxResults": part.limit}
    return content | {"total": part.total, "issues": shown}
