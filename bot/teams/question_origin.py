"""The conversation that a question of a personal chat was first asked in, as the question's handle keeps it. Pure."""

from collections.abc import Mapping

from bot.teams.conversation_reference import TeamsConversation
from domain.conversation import Audience

_BEGINS = "origin_"


def with_origin(reference: TeamsConversation, audience: Audience) -> dict[str, str]:
    """What a handle holds besides, for a question that came from there. audience: of that conversation."""
    return {f"{_BEGINS}{name}": text for name, text in {**reference.handle, "audience": audience}.items()}


def origin_of(handle: Mapping[str, str]) -> TeamsConversation | None:
    """Where a question was first asked; None where it was asked in its personal chat."""
    try:
        return TeamsConversation.of(
            {name.removeprefix(_BEGINS): text for name, text in handle.items() if name.startswith(_BEGINS)}
        )
    except KeyError:
        return None


def audience_of(handle: Mapping[str, str]) -> Audience:
    """Who reads along there, as far as it was told."""
    return "public" if handle.get(f"{_BEGINS}audience") == "public" else "organisation"
