"""JSON into values. Raises NotReached for what is no reply of the service."""

import json
from collections.abc import Mapping
from dataclasses import MISSING, fields
from datetime import datetime
from functools import cache
from types import UnionType
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from .errors import NotReached

T = TypeVar("T")


def json_of(raw: str | bytes) -> Any:
    """JSON, whatever it holds."""
    try:
        return json.loads(raw)
    except (ValueError, RecursionError):
        raise NotReached("What answered is no kb-agent: it sent no JSON") from None


def read(kind: type[T], value: object) -> T:
    """A dataclass out of a JSON object."""
    try:
        made: T = _value(kind, value)
    except (KeyError, TypeError, ValueError) as error:
        raise NotReached(f"The reply has another form than {kind.__name__}: {error!r}") from None
    return made


def _value(kind: Any, value: Any) -> Any:
    origin = get_origin(kind)
    if origin is UnionType:
        return None if value is None else _value(get_args(kind)[0], value)
    if origin is tuple:
        return tuple(_value(get_args(kind)[0], each) for each in value)
    if origin is Mapping:
        return value
    if kind is datetime:
        return datetime.fromisoformat(value)
    if kind in {str, int, float, bool}:
        return _plain(kind, value)
    return _object(kind, value)


def _plain(kind: type, value: Any) -> Any:
    wanted = (int, float) if kind is float else kind
    if not isinstance(value, wanted) or (kind in {int, float} and isinstance(value, bool)):
        raise TypeError(f"{value!r} is no {kind.__name__}")
    return value


def _object(kind: Any, value: Any) -> Any:
    if not isinstance(value, Mapping):
        raise TypeError(f"no object for {kind.__name__}")
    hints, given = _hints(kind), {}
    for each in fields(kind):
        if each.name in value:
            given[each.name] = _value(hints[each.name], value[each.name])
        elif each.default is MISSING:
            raise KeyError(each.name)
    return kind(**given)


@cache
def _hints(kind: Any) -> dict[str, Any]:
    return get_type_hints(kind)
