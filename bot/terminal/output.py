"""The one place where commands write: whatever they say is masked and cannot steer a terminal."""

import errno
import json
import sys
from collections.abc import Collection, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from bot.markup.plain_text import each_text, escaped
from config.load import load
from config.settings import Settings
from domain.errors import KbError, Refused
from domain.text.encodable import encodable

if TYPE_CHECKING:
    from domain.masking import Masker

_KEPT = frozenset({"document_id", "chunk_id", "_id"})
"""What JSON holds under these keys are digests of our own, and names that a caller gave to its questions."""

SHORTEST_KNOWN = 4
"""The fewest characters of a configured value that can be told from other text."""
_PLACE = "\ue000{}\ue001"
"""Placeholder for such a value while the rest is masked: two characters that no text contains."""
_MASKER = "bot.terminal.output.masker"


class OutputFailed(OSError):
    """A standard stream takes no more: its reader or its terminal has gone, or its disk is full."""


@contextmanager
def writing_output() -> Iterator[None]:
    """Inside, nothing is done but write to a standard stream: an OSError there is an OutputFailed."""
    try:
        yield
    except OSError as error:
        raise OutputFailed(error.errno, error.strerror) from error


def settings_in_force() -> Settings:
    """The settings; from now on the running command masks by them.

    Raises:
        Misconfigured: a setting does not fit, also one about masking.
    """
    from bot.app.masking import masker_of, policy_of

    settings = load()
    masker = masker_of(policy_of(settings))
    context = click.get_current_context(silent=True)
    if context is not None:
        context.meta[_MASKER] = masker
    return settings


def masker() -> "Masker":
    """The masker of the running command. Where the settings cannot be read, that of the defaults: an error says so, and
    it is masked as well."""
    from bot.app.masking import masker_of, policy_of
    from domain.masking import Masker, Policy

    context = click.get_current_context(silent=True)
    known = context.meta.get(_MASKER) if context is not None else None
    if isinstance(known, Masker):
        return known
    try:
        return masker_of(policy_of(load()))
    except KbError:
        return masker_of(Policy())


def masked(text: str, known: Collection[str] = ()) -> str:
    """The text without secrets and personal data. known: what the operator configured, such as the account of a source
    or the name of a model: it stays, unless it is a secret."""
    shown = without_secrets(text) if known else encodable(text)
    present = [each for each in dict.fromkeys(known) if len(each) >= SHORTEST_KNOWN and each in shown]
    for number, each in enumerate(present):
        shown = shown.replace(each, _PLACE.format(number))
    shown = masker().mask(shown).text if shown else ""
    for number, each in enumerate(present):
        shown = shown.replace(_PLACE.format(number), each)
    return shown


def without_secrets(text: str) -> str:
    """The text without secrets: for what an operator wrote, such as the addresses of those who may read a source."""
    return masker().secrets(encodable(text)).text if text else ""


def say(text: str = "", *, err: bool = False, nl: bool = True, own: bool = False, known: Collection[str] = ()) -> None:
    """Writes text, masked, to standard output. err: to standard error. own: the operator wrote it, so that only
    secrets are masked. known: as of `masked`.

    Raises OutputFailed where it cannot be written; for standard error only when its reader has gone: a command goes on
    whose progress a full disk does not take."""
    shown = without_secrets(text) if own else masked(text, known)
    try:
        with writing_output():
            click.echo(shown, err=err, nl=nl)
    except OutputFailed as error:
        if not err or error.errno == errno.EPIPE:
            raise


def show_secret(text: str) -> None:
    """Writes a secret of ours that was just made to standard output, for who asked for it. Nothing else goes out
    unmasked."""
    with writing_output():
        click.echo(text)


def print_json(
    value: object, *, own: bool = False, known: Collection[str] = (), made: Mapping[str, str] | None = None
) -> None:
    """One JSON object on a line of standard output, its texts masked as `say` does it, moments in ISO 8601. Its keys
    are ours and stay. made: secrets of ours that were just made, as of `show_secret`."""
    shown = each_text(value, without_secrets if own else partial(masked, known=known), _KEPT)
    if made and isinstance(shown, dict):
        shown |= made
    line = escaped(json.dumps(shown, ensure_ascii=False))
    with writing_output():
        click.echo(line)


def print_result(value: object, text: str, *, as_json: bool, own: bool = False, known: Collection[str] = ()) -> None:
    """What a command found: as JSON where that is asked for, else as text. own, known: as of `say`."""
    if as_json:
        print_json(value, own=own, known=known)
    else:
        say(text, own=own, known=known)


def agreed(question: str, undone: str) -> bool:
    """Whether a person says yes; a no is answered with `undone`. Raises Refused when nobody answers."""
    try:
        yes = click.confirm(without_secrets(question), err=True)
    except click.Abort:
        raise Refused(undone, why="The question was not answered.", next_step="Add --yes.") from None
    if not yes:
        say(f"{undone}.", err=True)
    return yes


def steps(length: int, label: str) -> AbstractContextManager[Any]:
    """A bar of `length` steps on standard error; what it gives is told of each by `update(1)`."""
    return click.progressbar(length=length, label=masked(label), file=sys.stderr)
