"""Finds the documents that a webhook of Jira names. Pure."""

from indexer.sources.atlassian.webhook_body import GONE, WebhookBody, id_of, number_of, webhook_format
from indexer.sources.jira.issue_names import COMMENT, ISSUE


def _ids(body: WebhookBody) -> list[str]:
    event = str(body.get("webhookEvent"))
    issue, comment = id_of(body.get("issue")), id_of(body.get("comment"))
    if not issue:
        ends = (body.get("issueLink") or {}) if isinstance(body.get("issueLink"), dict) else {}
        linked = [number_of(ends.get(name)) for name in ("sourceIssueId", "destinationIssueId")]
        return [f"{ISSUE}{each}" for each in linked if each]
    if event == "jira:issue_deleted":
        return []
    of_comment = [f"{COMMENT}{issue}/{comment}"] if comment and not event.endswith(GONE) else []
    return [f"{ISSUE}{issue}", *of_comment]


WEBHOOK = webhook_format(_ids)
