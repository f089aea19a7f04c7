"""Which roles an issue of a team-managed project is restricted to. Pure.

Cloud shows `{"issuerestrictions": {"projectrole": [{"id": "10002"}]}, "shouldDisplay": true}`; an issue that is not
restricted has nothing within `issuerestrictions`, and one of Data Center no such field.
"""

import json

from domain.errors import Refused
from indexer.sources.jira.api import Row, text_in

RESTRICTION = "issuerestriction"
"""The field."""
_WITHIN, _ROLES = "issuerestrictions", "projectrole"


def restricting_roles(fields: Row) -> list[str]:
    """The ids of the project roles of which a reader must have one; none where the issue is not restricted. Raises
    Refused where its restriction has another form."""
    shown = fields.get(RESTRICTION) or {_WITHIN: None}
    within = shown.get(_WITHIN, "?") if isinstance(shown, dict) else "?"
    given = {kind: each for kind, each in within.items() if each} if isinstance(within, dict) else within
    if not given:
        return []
    roles = given.get(_ROLES) if isinstance(given, dict) and len(given) == 1 else None
    ids = [text_in(each, "id") for each in roles] if isinstance(roles, list) else []
    if not ids or not all(ids):
        raise Refused("the restriction of an issue has another form than expected")
    return sorted(ids)


def restriction_mark(fields: Row) -> str:
    """What tells a restriction from others; empty where there is none."""
    try:
        return " ".join(restricting_roles(fields))
    except Refused:
        return json.dumps(fields[RESTRICTION], sort_keys=True)
