"""What can go wrong, sorted by what to do about it.

    KbError
    ├── Transient       try again later: a time-out, a server that is away, a limit reached
    ├── Refused         the request itself cannot be met: bad input, a page that may not be fetched
    ├── Misconfigured   an operator has to change something first
    └── Bug             ours to mend

Each error carries what happened, why, and what to do next, so that a command line, a chat reply and a
log can all show it without a traceback.
"""

from domain.translation import translated


class KbError(Exception):
    """Something went wrong that we can name.

    Args:
        what: what happened, one sentence without a full stop at the end.
        why: the cause as far as it is known.
        next_step: what the reader can do now.
    """

    exit_code = 1

    def __init__(self, what: str, *, why: str = "", next_step: str = "") -> None:
        super().__init__(what)
        self.what = what
        self.why = why
        self.next_step = next_step

    def __str__(self) -> str:
        """One line a part: what, why, next step."""
        return laid_out(self.what, self.why, self.next_step)


class Transient(KbError):
    """It may work when tried again.

    Args:
        retry_after: seconds after which the other side wants to be asked again, where it said so.
    """

    def __init__(self, what: str, *, why: str = "", next_step: str = "", retry_after: float | None = None) -> None:
        super().__init__(what, why=why, next_step=next_step)
        self.retry_after = retry_after


class Refused(KbError):
    """The request cannot be met as it stands."""

    exit_code = 2


class Misconfigured(KbError):
    """An operator has to change a setting, a file or a server first."""

    exit_code = 2


class Bug(KbError):
    """Our own mistake."""


OUR_FAULT = "Something went wrong on our side"
"""What an asker is told of a mistake that has no better words."""


def laid_out(what: str, why: str = "", next_step: str = "") -> str:
    """The parts of an error as a terminal shows them, one a line."""
    return "\n".join([what, *([f"  why: {why}"] if why else []), *([f"  next: {next_step}"] if next_step else [])])


def advice(error: KbError) -> str:
    """What somebody in a chat can do about an error, in a sentence. Next steps are for operators, but for those of
    refusals: they are about what was asked for."""
    match error:
        case Transient():
            return translated("Ask again in a few minutes.")
        case Misconfigured():
            return translated("Whoever runs this service has to mend that first: please tell them.")
        case Refused():
            return sentence(error.next_step)
        case _:
            return translated("Ask again; if it stays so, tell whoever runs this service.")


def in_sentences(error: KbError) -> str:
    """An error as somebody in a chat reads it: what happened and what helps. Its cause is for the log."""
    return f"{sentence(error.what)} {advice(error)}".strip()


def sentence(text: str) -> str:
    """A part of an error with a capital and a full stop."""
    text = text.strip()
    if not text or text[-1] in ".?!。？！":
        return text[:1].upper() + text[1:]
    return text[:1].upper() + text[1:] + ("。" if text[-1] >= "\u3040" else ".")  # from there on, East Asian letters
