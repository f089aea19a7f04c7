"""Finds the documents that a webhook of Confluence names. Pure."""

from indexer.sources.atlassian.webhook_body import GONE, WebhookBody, id_of, webhook_format


def _ids(body: WebhookBody) -> list[str]:
    gone = str(body.get("event")).endswith(GONE)
    found: list[str] = []
    for name, kind in (("page", "page"), ("blog", "blog"), ("blogpost", "blog"), ("content", "page")):
        number = id_of(body.get(name))
        found += [f"{kind}:{number}"] if number and not gone else []
    comment = body.get("comment")
    found += _home(comment.get("parent") or comment.get("container")) if isinstance(comment, dict) else []
    found += _home(body.get("attachedTo"))
    files = body.get("attachments")
    every = files if isinstance(files, list) else [body.get("attachment")]
    return found + ([] if gone else [f"attachment:att{number}" for number in map(id_of, every) if number])


def _home(shown: object) -> list[str]:
    """The page or blog post that something hangs on."""
    number = id_of(shown)
    blog = isinstance(shown, dict) and str(shown.get("contentType")).lower().startswith("blog")
    return [f"{'blog' if blog else 'page'}:{number}"] if number else []


WEBHOOK = webhook_format(_ids)
