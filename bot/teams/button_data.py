"""What buttons of our cards send, and how it is read again. Pure.

Teams delivers it in three ways: as the value of a message (Action.Submit), within an invoke `adaptiveCard/action`
(Action.Execute), and within an invoke `task/fetch` for a dialog. It comes back from outside, and is checked as such.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, cast, get_args

from bot.markup.text_length import head
from bot.teams.limits import QUESTION, Json

ButtonAction = Literal[
    "ask", "preview", "private", "share", "share_now", "owner", "owner_now", "again", "reindex", "cancel"
]
"""ask: a question that may come next. preview: the whole passage behind a reference, in a dialog. private: the same
question in a personal chat. share, share_now: asks whether, and then answers it again for all in the channel. owner,
owner_now: asks whether, and then sends it to the owner of the nearest page. again,
reindex: asks whether, and then has a source read again. cancel: nothing after all."""

_MOST = 10**18


@dataclass(frozen=True, slots=True)
class ButtonData:
    """A press of one of our buttons.

    number: of the question that it stands below; 0 where it stands below none. n: of a reference. text: the question to
    ask, the source (`*` for all), or the digest of what is sent to an owner.
    """

    action: ButtonAction
    number: int = 0
    n: int = 0
    text: str = ""

    @property
    def payload(self) -> Json:
        """It as a button sends it."""
        given = {"number": self.number, "n": self.n, "text": head(self.text, QUESTION)}
        return {"kb": self.action, **{name: value for name, value in given.items() if value}}


def read_button_data(value: object) -> ButtonData | None:
    """What the value of an activity says that was pressed; None where it is none of our buttons."""
    data = _data(value)
    action = data.get("kb")
    if not isinstance(action, str) or action not in get_args(ButtonAction):
        return None
    text = data.get("text")
    said = head(text, QUESTION) if isinstance(text, str) else ""
    return ButtonData(cast("ButtonAction", action), _number(data.get("number")), _number(data.get("n")), said)


def _data(value: object) -> Mapping[str, object]:
    """What the button holds, wherever it stands in the value."""
    if not isinstance(value, Mapping):
        return {}
    action = value.get("action")
    inner = action.get("data") if isinstance(action, Mapping) else value.get("data")
    return inner if isinstance(inner, Mapping) else value


def _number(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < _MOST else 0
