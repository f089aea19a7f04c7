"""Which platforms the settings name."""

from config.settings import Settings
from domain.conversation import Platform


def configured_platforms(settings: Settings) -> tuple[Platform, ...]:
    """The platforms that the settings name: chats, and HTTP."""
    slack: tuple[Platform, ...] = ("slack",) if settings.slack.slack_bot_token is not None else ()
    teams = settings.teams
    # a part of the settings of Teams counts as well: what is missing is then an error
    given = (teams.teams_app_id, teams.teams_app_password, teams.teams_tenant_id)
    named = teams.teams_insecure_dev or any(each is not None for each in given)
    chats: tuple[Platform, ...] = (*slack, "teams") if named else slack
    return (*chats, "web") if settings.web.api_port is not None else chats
