"""The card that follows a reply, where it needs a button: a message of its own. Pure."""

from bot.conversation.render_context import RenderContext, proposed_reindexes
from bot.teams.button_data import ButtonData
from bot.teams.card_elements import actions, card, execute_button, line
from bot.teams.limits import SUGGESTIONS, Json
from domain.answers import Answer, Declined, NotFound, Trace
from domain.masked_answer import MaskedAnswer
from domain.scope_reason import ScopeReason

ALONE = "Only you see this answer."


def button_card(answer: MaskedAnswer, frame: RenderContext) -> Json | None:
    """The card below a reply; None where nothing is to be pressed."""
    match answer.outcome:
        case Answer(citations=cited, trace=trace) if frame.buttons:
            shown = [*_again(trace), *(_share(frame) if cited and frame.share else [])]
        case NotFound(trace=trace, scope_reason=reason) if frame.buttons:
            shown = [*_again(trace), *_privately(reason, frame)]
        case Declined(scope_reason=reason) if frame.buttons:
            shown = _privately(reason, frame)
        case _:
            shown = []
    return card(shown) if shown else None


def _again(trace: Trace) -> list[Json]:
    """A button for each source that an administrator was told how to have read again. It starts nothing either: it
    asks whether that is meant."""
    return actions(
        execute_button("Read all again" if each == "*" else f"Read {each} again", ButtonData("again", text=each))
        for each in proposed_reindexes(trace)[:SUGGESTIONS]
    )


def _share(frame: RenderContext) -> list[Json]:
    return [line(ALONE), *actions([execute_button("Share in channel", ButtonData("share", frame.number))])]


def _privately(reason: ScopeReason, frame: RenderContext) -> list[Json]:
    """A private answer may hold more: it is made from what its asker may read."""
    ask = [execute_button("Ask privately", ButtonData("private", frame.number))]
    return actions(ask) if reason.private_helps and not frame.private else []
