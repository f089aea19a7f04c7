"""Until when the token is good, as far as the product tells."""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

from domain.errors import KbError
from indexer.connectors.atlassian.checks import Finding
from indexer.connectors.atlassian.client import AtlassianClient
from indexer.connectors.atlassian.jira_api import Row, rows
from indexer.connectors.atlassian.jira_moments import moment

SOON = timedelta(days=30)
TOKENS = "/rest/pat/latest/tokens"
_NOTE = "Note the date where the token was made, and renew it before."


async def expiry(client: AtlassianClient, product: str, now: datetime | None = None) -> Finding:
    """When the first of the account's tokens expires. Data Center lists them by their names, and does not say which of
    them is asking; Cloud tells nothing. now: the time, by default the present. It raises nothing."""
    if client.site.flavour == "cloud":
        return Finding("ok", f"{product} does not tell when the token expires", next_step=_NOTE)
    try:
        found = await client.get(TOKENS)
    except KbError as error:
        return Finding("ok", f"{product} does not tell when the token expires", error.what, _NOTE)
    tokens = rows(found.get("values") if isinstance(found, dict) else found)
    if not tokens:
        return Finding("ok", f"{product} does not tell when the token expires", next_step=_NOTE)
    return _first(tokens, now or datetime.now(UTC))


def _first(tokens: Iterable[Row], now: datetime) -> Finding:
    told = [(at, str(row.get("name") or "?")) for row in tokens if (at := moment(row.get("expiringAt")))]
    coming = sorted(each for each in told if each[0] > now)
    if not coming:
        return Finding("ok", "No token of the account expires")
    at, name = coming[0]
    what = f"The token {name} of the account expires on {at.astimezone(UTC):%Y-%m-%d}"
    others = [f"{other} on {later.astimezone(UTC):%Y-%m-%d}" for later, other in coming[1:]]
    why = f"Others: {', '.join(others)}. Which of them is used here is not told." if others else ""
    if at - now < SOON:
        return Finding("warning", what, why, "Make a new token, and set it before that day.")
    return Finding("ok", what, why)
