"""Personal access tokens of Data Center: a user sees those of their own, by name."""

from tests.fakes.atlassian.records import AtlassianError
from tests.fakes.atlassian.routing import Answer, Route, SiteRequest, route


def tokens(asked: SiteRequest) -> Answer:
    """The caller's tokens, never the secrets."""
    if asked.rights.user is None:
        raise AtlassianError(401, "Client must be authenticated to access this resource.")
    mine = [each for each in asked.world.accounts if each.user == asked.rights.user.id and each.state == "active"]
    return [
        {"id": number, "name": each.label, "createdAt": "2026-01-05T08:00:00.000Z"}
        | ({"expiringAt": each.expires} if each.expires else {})
        for number, each in enumerate(mine, 1)
    ]


DATA_CENTER: list[Route] = [route("/rest/pat/latest/tokens", tokens, "")]
