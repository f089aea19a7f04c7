"""Reads the settings: environment over `kb.toml` over `default.toml`. Nothing else reads either."""

import json
import os
import tomllib
import types
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from config.bounds import AT_LEAST_0, Bounds, NamedSecrets, Secret
from config.settings import Settings
from domain.errors import Misconfigured

PREFIX = "KB_AGENT_"
CONFIG_VARIABLE = "KB_AGENT_CONFIG"
DEFAULT_FILE = Path(__file__).with_name("default.toml")


def load(environ: Mapping[str, str] | None = None, folder: Path | None = None) -> Settings:
    """The settings in force.

    Args:
        environ: environment variables; the process's own by default.
        folder: where `kb.toml` is looked for; the working folder by default.

    Raises:
        Misconfigured: a file cannot be read, a key is unknown, or a value does not fit; the message names it.
    """
    variables = os.environ if environ is None else environ  # noqa: TID251 - this is config.load
    slices = slices_of_settings()
    kinds = {name: hint for kind in slices.values() for name, hint in get_type_hints(kind, include_extras=True).items()}
    known = set(kinds)
    values = _read_file(DEFAULT_FILE, known)
    override = _override_file(variables, folder or Path.cwd())
    if override:
        values |= _given(_read_file(override, known), kinds)
    values |= _given(_read_environment(variables, known), kinds)
    made = {
        name: kind(**{field.name: _convert(*values[field.name], kinds[field.name]) for field in fields(kind)})
        for name, kind in slices.items()
    }
    return Settings(**made, secrets=NamedSecrets(variables), origins={name: pair[1] for name, pair in values.items()})


def slices_of_settings() -> dict[str, Any]:
    """The classes that settings stand in, by the name of their field."""
    return {
        name: kind for name, kind in get_type_hints(Settings).items() if is_dataclass(kind) and kind is not NamedSecrets
    }


def _override_file(variables: Mapping[str, str], folder: Path) -> Path | None:
    named = variables.get(CONFIG_VARIABLE, "").strip()
    if named:
        path = Path(os.path.expanduser(named))  # noqa: PTH111 - which leaves an unknown user's name as it is
        if not path.is_file():
            raise Misconfigured(
                f"The settings file {path} is not there",
                why=f"{CONFIG_VARIABLE} names it.",
                next_step=f"Write that file, or unset {CONFIG_VARIABLE}.",
            )
        return path
    path = folder / "kb.toml"
    return path if path.is_file() else None


def _read_file(path: Path, known: set[str]) -> dict[str, tuple[object, str]]:
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise Misconfigured(
            f"The settings file {path} cannot be read", why=str(error), next_step="Mend the file and try again."
        ) from error
    _refuse_unknown(content.keys() - known, f"in {path}", known)
    return {key: (value, f"{key} in {path.name}") for key, value in content.items()}


def _read_environment(variables: Mapping[str, str], known: set[str]) -> dict[str, tuple[object, str]]:
    found = {
        name.removeprefix(PREFIX).lower(): (value, name)
        for name, value in variables.items()
        if name.startswith(PREFIX) and name != CONFIG_VARIABLE
    }
    _refuse_unknown(found.keys() - known, "in the environment", known, prefix=PREFIX)
    return dict(found)


def _refuse_unknown(unknown: set[str], where: str, known: set[str], prefix: str = "") -> None:
    if not unknown:
        return
    from difflib import get_close_matches

    name = min(unknown)
    near = get_close_matches(name, known, n=1)
    shown = prefix + (name.upper() if prefix else name)
    hint = prefix + (near[0].upper() if prefix else near[0]) if near else ""
    raise Misconfigured(
        f"There is no setting {shown}",
        why=f"It stands {where}.",
        next_step=f"Did you mean {hint}?" if hint else "docs/settings.md lists every setting.",
    )


def _given(found: Mapping[str, tuple[object, str]], kinds: Mapping[str, Any]) -> dict[str, tuple[object, str]]:
    """Without empty texts for what cannot be empty: they mean "not set"."""
    numbers = {int, float, bool}
    return {
        name: pair
        for name, pair in found.items()
        if pair[0] != "" or (get_origin(kinds[name]) not in {Annotated, Literal} and kinds[name] not in numbers)
    }


def _convert(value: object, origin: str, kind: Any) -> object:
    """`value` as `kind`. Raises Misconfigured naming `origin` where it does not fit."""
    if get_origin(kind) in {Union, types.UnionType}:
        inner = next(option for option in get_args(kind) if option is not type(None))
        return None if value == "" else _convert(value, origin, inner)
    try:
        return _plain(value, kind)
    except ValueError as error:
        shown = "its value" if kind is Secret else repr(value)
        raise Misconfigured(
            f"The setting {origin} does not take {shown}",
            why=str(error),
            next_step="docs/settings.md says what it means.",
        ) from error


def _plain(value: object, kind: Any) -> object:
    if get_origin(kind) is Annotated:
        plain, bounds = get_args(kind)
        return _number(value, plain, bounds)
    if kind in {int, float}:
        return _number(value, kind, AT_LEAST_0)
    if get_origin(kind) is Literal:
        if value not in get_args(kind):
            raise ValueError(f"It takes one of: {', '.join(map(str, get_args(kind)))}.")
        return value
    if get_origin(kind) is tuple:
        row = get_args(kind)[0]
        return _tables(value, row) if is_dataclass(row) else _texts(value)
    if kind is bool:
        return _boolean(value)
    return _path(_text(value)) if kind is Path else kind(_text(value))


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError("It takes text.")  # noqa: TRY004 - a wrong value, not a programming error
    return value


def _texts(value: object) -> tuple[str, ...]:
    items = value.split(",") if isinstance(value, str) else value
    if not isinstance(items, list) or not all(isinstance(item, str) for item in items):
        raise ValueError("It takes a list of texts.")
    return tuple(item.strip() for item in items if item.strip())


def _tables(value: object, row: Any) -> tuple[Any, ...]:
    """Tables as values of the dataclass `row`; from the environment they come as JSON text."""
    if isinstance(value, str):
        try:
            value = json.loads(value) if value.strip() else []
        except (ValueError, RecursionError):
            raise ValueError("It takes a JSON list of objects.") from None
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        raise ValueError("It takes a list of tables.")
    return tuple(_table(item, row, number) for number, item in enumerate(value, start=1))


def _table(item: dict[str, object], row: Any, number: int) -> Any:
    hints = get_type_hints(row, include_extras=True)
    needed = {field.name for field in fields(row) if field.default is MISSING}
    if item.keys() - hints.keys():
        raise ValueError(f"Table {number} has {min(item.keys() - hints.keys())}; it takes {', '.join(hints)}.")
    if needed - item.keys():
        raise ValueError(f"Table {number} has no {min(needed - item.keys())}.")
    try:
        return row(**{name: _plain(each, hints[name]) for name, each in item.items()})
    except ValueError as error:
        raise ValueError(f"Table {number}: {error}") from None


def _path(value: str) -> Path:
    try:
        return Path(value).expanduser()
    except RuntimeError:
        raise ValueError("There is no such user, or no home folder.") from None


def _boolean(value: object) -> bool:
    words = {"true": True, "1": True, "yes": True, "on": True, "false": False, "0": False, "no": False, "off": False}
    found = words.get(str(value).strip().lower())
    if found is None:
        raise ValueError("It takes true or false.")
    return found


def _number(value: object, kind: type[int] | type[float], bounds: Bounds) -> int | float:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise ValueError("It takes a number.")  # noqa: TRY004 - a wrong value, not a programming error
    try:
        number = kind(value)
    except (ValueError, OverflowError):
        number = None
    if number is None or (kind is int and isinstance(value, float) and number != value):
        raise ValueError("It takes a whole number." if kind is int else "It takes a number.")
    if not bounds.low <= number <= bounds.high:  # also where it is NaN
        raise ValueError(f"It takes a number {bounds}.")
    return number
