"""Reading a file that a setting or a command names."""

from pathlib import Path

from domain.errors import KbError, Misconfigured


def text_of(
    file: Path, what: str, next_step: str, raised: type[KbError] = Misconfigured, largest: int | None = None
) -> str:
    """The file's text. Where it cannot be read, or has more than `largest` characters, an error of the type `raised`
    says so of `what`, and names the next step."""
    try:
        with file.expanduser().open(encoding="utf-8") as opened:
            text = opened.read() if largest is None else opened.read(largest + 1)
    except (OSError, ValueError, RuntimeError) as error:
        why = f"{getattr(error, 'strerror', None) or error}."
        raise raised(f"{what} cannot be read", why=why, next_step=next_step) from None
    if largest is not None and len(text) > largest:
        raise raised(f"{what} is too large", why=f"It has more than {largest:,} characters.", next_step=next_step)
    return text
