"""Until when the token is good, as far as the product tells."""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

from domain.errors import KbError
from indexer.sources.atlassian.client import AtlassianClient
from indexer.sources.atlassian.paging import Row
from indexer.sources.atlassian.timestamps import moment
from indexer.sources.connector import CheckFinding

SOON = timedelta(days=30)
TOKENS = "/rest/pat/latest/tokens"
_NOTE = "Note the date where the token was made, and renew it before."


async def expiry(client: AtlassianClient, product: str, now: datetime | None = None) -> CheckFinding:
    """When the first of the account's tokens expires. Data Center lists them by their names, and does not say which of
    them is asking; Cloud tells nothing. now: the time, by default the present. It raises nothing."""
    found, why = None, ""
    if client.site.flavour == "datacenter":
        try:
            found = await client.get(TOKENS)
        except KbError as error:
            why = error.what
    values = found.get("values") if isinstance(found, dict) else found
    tokens = [each for each in values if isinstance(each, dict)] if isinstance(values, list) else []
    if not tokens:
        return CheckFinding("ok", f"{product} does not tell when the token expires", why, _NOTE)
    return _first(tokens, now or datetime.now(UTC))


def _first(tokens: Iterable[Row], now: datetime) -> CheckFinding:
    told = [(at, str(row.get("name") or "?")) for row in tokens if (at := moment(row.get("expiringAt")))]
    coming = sorted(each for each in told if each[0] > now)
    if not coming:
        return CheckFinding("ok", "No token of the account expires")
    at, name = coming[0]
    what = f"The token {name} of the account expires on {at.astimezone(UTC):%Y-%m-%d}"
    others = [f"{other} on {later.astimezone(UTC):%Y-%m-%d}" for later, other in coming[1:]]
    why = f"Others: {', '.join(others)}. Which of them is used here is not told." if others else ""
    if at - now < SOON:
        return CheckFinding("warning", what, why, "Make a new token, and set it before that day.")
    return CheckFinding("ok", what, why)
