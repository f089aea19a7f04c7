"""The app package that an administrator uploads to Teams: a manifest and two icons, zipped."""

import io
import json
import re
import zipfile
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit
from uuid import UUID

from bot.conversation.commands import COMMANDS
from bot.markup.text_length import units
from bot.teams.limits import Json
from domain.errors import Misconfigured, Refused

SCHEMA = "1.22"
"""Version of the manifest's schema; later ones add nothing that is needed here."""

FILES = ("manifest.json", "color.png", "outline.png")
ICONS = Path(__file__).parent / "icons"
"""The icons: a white speech bubble with lines in it, and its outline."""
ACCENT = "#1F5F6B"
"""The colour behind the bubble."""

_MOST = {"name": 30, "company": 32, "website": 2048}
_VERSION = re.compile(r"\d+\.\d+\.\d+")
_DATE = (2026, 1, 1, 0, 0, 0)
"""Of the files in the archive: the same package twice is the same to the byte."""


@dataclass(frozen=True, slots=True)
class AppDetails:
    """What a manifest is filled with.

    app_id: the bot's application (client) id; it is the app's id, too. version: of this product, `1.2.3`. name: what
    people mention, at most 30 characters. company: who runs the bot, at most 32. website: https://…; Teams wants one,
    and shows it as privacy statement and terms of use as well.
    """

    app_id: str
    version: str = "1.0.0"
    name: str = "kb"
    company: str = "Our company"
    website: str = "https://example.com"


def manifest(app: AppDetails) -> Json:
    """The manifest, checked.

    Raises:
        Misconfigured: the application id is none. Refused: another value is not one that Teams takes.
    """
    app_id = _checked(app)
    commands = [{"title": each.name, "description": each.menu} for each in COMMANDS if each.menu]
    scopes = ["personal", "team", "groupChat"]
    return {
        "$schema": f"https://developer.microsoft.com/json-schemas/teams/v{SCHEMA}/MicrosoftTeams.schema.json",
        "manifestVersion": SCHEMA,
        "version": app.version,
        "id": app_id,
        "developer": {
            "name": app.company,
            "websiteUrl": app.website,
            "privacyUrl": app.website,
            "termsOfUseUrl": app.website,
        },
        "name": {"short": app.name, "full": f"{app.name}: answers from our documents"},
        "description": {
            "short": "Answers questions from our documents, with numbered sources.",
            "full": "Ask in a personal chat, or mention the bot in a channel or group chat. Each answer comes from the"
            " company's own documents, names its sources, and holds only what all may read who see it.",
        },
        "icons": {"color": FILES[1], "outline": FILES[2]},
        "accentColor": ACCENT,
        "bots": [
            {
                "botId": app_id,
                "scopes": scopes,
                "isNotificationOnly": False,
                "supportsFiles": False,
                "commandLists": [{"scopes": scopes, "commands": commands}],
            }
        ],
        "permissions": ["identity", "messageTeamMembers"],
        "validDomains": [],
        "defaultInstallScope": "personal",
        "defaultGroupCapability": {"team": "bot", "groupchat": "bot"},
    }


def archive(app: AppDetails) -> bytes:
    """The package: manifest and icons as a zip file. Raises as `manifest` does."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as zipped:
        for name, data in files(app).items():
            zipped.writestr(zipfile.ZipInfo(name, _DATE), data, zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


def files(app: AppDetails) -> dict[str, bytes]:
    """What the package holds, by name. Raises as `manifest` does."""
    described = json.dumps(manifest(app), ensure_ascii=False, indent=2) + "\n"
    return {FILES[0]: described.encode()} | {name: (ICONS / name).read_bytes() for name in FILES[1:]}


def _checked(app: AppDetails) -> str:
    """The id as Microsoft writes it; raises as `manifest` does."""
    try:
        app_id = str(UUID(app.app_id))
    except ValueError:
        given = bool(app.app_id)
        raise Misconfigured(
            f"KB_AGENT_TEAMS_APP_ID is {'no application id' if given else 'not set'}",
            why="An id is of the form 00000000-0000-0000-0000-000000000000." if given else "",
            next_step="Set it to the application (client) id of the bot; docs/teams.md says where it comes from.",
        ) from None
    if not _VERSION.fullmatch(app.version):
        raise Refused(f"{app.version!r} is no version of an app", next_step="Give one such as --app-version 1.2.3")
    for option, value in {"name": app.name, "company": app.company, "website": app.website}.items():
        if not value.strip() or not value.isprintable() or units(value) > _MOST[option]:
            raise Refused(
                f"--{option} takes 1 to {_MOST[option]} characters", next_step="Give a shorter one, on one line."
            )
    if not _is_website(app.website):
        raise Refused(f"{app.website!r} is no https:// address", next_step="Give one such as https://example.com.")
    return app_id


def _is_website(url: str) -> bool:
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return parts.scheme == "https" and bool(parts.hostname) and url.isascii() and " " not in url
