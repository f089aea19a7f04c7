"""What can go wrong, sorted by what to do about it.

    KbError
    ├── Transient       try again later: a time-out, a server that is away, a limit reached
    ├── Refused         the request itself cannot be met: bad input, a page that may not be fetched
    ├── Misconfigured   an operator has to change something first
    └── Bug             ours to mend

Each error carries what happened, why, and what to do next, so that a command line, a chat reply and a
log can all show it without a traceback.
"""


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
        lines = [self.what]
        if self.why:
            lines.append(f"  why: {self.why}")
        if self.next_step:
            lines.append(f"  next: {self.next_step}")
        return "\n".join(lines)


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
