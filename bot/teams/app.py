"""The app in Teams: what each activity leads to."""

from bot.teams.activities import (
    BotAdded,
    BotRemoved,
    ButtonPress,
    FeedbackGiven,
    MembersChanged,
    MessageReceived,
    TeamsMessageChange,
    parse_activity,
)
from bot.teams.buttons import TeamsButtons
from bot.teams.commands import TeamsCommands
from bot.teams.events import TeamsEventHandler
from bot.teams.http_endpoint import ActivityHandler, TurnResponse
from bot.teams.json_reading import Json


def teams_app(events: TeamsEventHandler, commands: TeamsCommands, buttons: TeamsButtons) -> ActivityHandler:
    """Does what an activity says; see bot.teams.http_endpoint.ActivityHandler. Whoever calls has checked that Teams
    sent it."""

    async def turn(activity: Json) -> TurnResponse:
        found = parse_activity(activity)
        match found:
            case MessageReceived():
                events.people.person_seen(found.context.person, found.context.reference)
                await commands.serve(found)
            case TeamsMessageChange():
                await commands.message_changed(found)
            case BotAdded():
                events.bot_added(found.context.reference)
            case BotRemoved():
                events.bot_removed(found.context.reference)
            case MembersChanged():
                events.people.members_changed()
            case FeedbackGiven():
                await buttons.feedback_given(found)
                return TurnResponse(200, {})
            case ButtonPress():
                return TurnResponse(200, await buttons.serve(found))
            case None if activity.get("type") == "invoke":
                return TurnResponse(501)
        return TurnResponse(200)

    return turn
