"""The app in Teams: what each activity leads to."""

import logging

from bot.teams.actions import Actions
from bot.teams.activities import Arrived, Changed, Judged, Left, Moved, Press, Said, happened
from bot.teams.commands import Commands
from bot.teams.events import Events
from bot.teams.http import Answered, Turn
from bot.teams.shapes import Json

log = logging.getLogger(__name__)


def teams_app(events: Events, commands: Commands, actions: Actions) -> Turn:
    """Does what an activity says; see bot.teams.http.Turn. Whoever calls has checked that Teams sent it."""

    async def turn(activity: Json) -> Answered:
        found = happened(activity)
        match found:
            case Said():
                events.met(found.spot)
                await commands.serve(found)
            case Changed():
                await commands.changed(found)
            case Arrived():
                await events.arrived(found)
            case Left():
                await events.left(found)
            case Moved():
                await events.moved()
            case Judged():
                await actions.judged(found)
                return Answered(200, {})
            case Press():
                return Answered(200, await actions.pressed(found))
            case None if activity.get("type") == "invoke":
                return Answered(501)
        return Answered(200)

    return turn
