"""Reading a file that a setting or a command names."""

from pathlib import Path

from domain.errors import KbError, Misconfigured


def text_of(file: Path, what: str, next_step: str, raised: type[KbError] = Misconfigured) -> str:
    """The file's text. Where it cannot be read, an error of the type `raised` says so of `what`, and
    names the next step."""
    try:
        return file.expanduser().read_text(encoding="utf-8")
    except (OSError, ValueError, RuntimeError) as error:
        why = f"{getattr(error, 'strerror', None) or error}."
        raise raised(f"{what} cannot be read", why=why, next_step=next_step) from None
