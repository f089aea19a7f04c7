"""The card that follows a reply, where it needs a button: a message of its own. Pure."""

from bot.conversation.frame import Frame, read_again
from bot.teams.elements import actions, card, executed, line
from bot.teams.limits import SUGGESTIONS, Json
from bot.teams.pressed import Pressed
from domain.answers import Answer, Declined, NotFound, Trace
from domain.masking.shown import MaskedAnswer
from domain.reach import Reach

ALONE = "Only you see this answer."


def below(answer: MaskedAnswer, frame: Frame) -> Json | None:
    """The card below a reply; None where nothing is to be pressed."""
    match answer.outcome:
        case Answer(citations=cited, trace=trace) if frame.buttons:
            shown = [*_again(trace), *(_share(frame) if cited and frame.share else [])]
        case NotFound(trace=trace, reach=reach) if frame.buttons:
            shown = [*_again(trace), *_privately(reach, frame)]
        case Declined(reach=reach) if frame.buttons:
            shown = _privately(reach, frame)
        case _:
            shown = []
    return card(shown) if shown else None


def _again(trace: Trace) -> list[Json]:
    """A button for each source that an administrator was told how to have read again. It starts nothing either: it
    asks whether that is meant."""
    return actions(
        executed("Read all again" if each == "*" else f"Read {each} again", Pressed("again", text=each))
        for each in read_again(trace)[:SUGGESTIONS]
    )


def _share(frame: Frame) -> list[Json]:
    return [line(ALONE), *actions([executed("Share in channel", Pressed("share", frame.number))])]


def _privately(reach: Reach, frame: Frame) -> list[Json]:
    """A private answer may hold more: it is made from what its asker may read."""
    ask = [executed("Ask privately", Pressed("private", frame.number))]
    return actions(ask) if reach.private_helps and not frame.private else []
