"""Asks before what cannot be undone, or changes what everybody is answered from. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass

from bot.web.pages.layout import Viewer, form
from bot.web.pages.markup import element
from bot.web.pages.operate.frame import operator_page


@dataclass(frozen=True, slots=True)
class Confirmation:
    """What is asked. field: the hidden field that says what it is about. title, words: `{}` stands for that."""

    field: str
    title: str
    words: str
    button: str


CONFIRMED: Mapping[str, Confirmation] = {
    "put-to-use": Confirmation(
        "version",
        "Put version {} to use?",
        "It answers from then on, although a golden question fails in it. The index before stays, and you can go back.",
        "Put it to use",
    ),
    "discard": Confirmation(
        "version",
        "Discard version {}?",
        "What the run wrote into it is lost. The next scheduled run reads the changes again. This cannot be undone.",
        "Discard it",
    ),
    "roll-back": Confirmation(
        "version",
        "Go back to version {}?",
        "It answers from then on, without what was read since. The index of now stays, and you can come back to it.",
        "Go back",
    ),
    "prune": Confirmation(
        "source",
        "Are the missing documents of {} gone?",
        "The source is read now. Every document that is missing then is hidden, however many there are, and removed by"
        " the reading after. Confirm only if they were deleted at the source.",
        "They are gone",
    ),
}


def confirm_page(viewer: Viewer, what: str, about: str) -> str:
    """Asks whether it is to be done. what: a key of CONFIRMED."""
    asked = CONFIRMED[what]
    return operator_page(
        asked.title.format(about),
        "",
        viewer,
        element("p", asked.words),
        form(
            f"/operate/{what}",
            viewer,
            element("input", type="hidden", name=asked.field, value=about),
            element("button", asked.button),
            element("a", "No, leave it", href="/operate", class_="act"),
            class_="row",
        ),
    )
