"""The types of settings: numbers within bounds, and values that must not be shown."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated
from uuid import UUID

NO_LIMIT = 1e18


@dataclass(frozen=True, slots=True)
class Bounds:
    """What numbers a setting takes, both ends included; never an infinite one."""

    low: float
    high: float = NO_LIMIT

    def __str__(self) -> str:
        return f"of {self.low:g} or more" if self.high == NO_LIMIT else f"from {self.low:g} to {self.high:g}"


AT_LEAST_0 = Bounds(0)
Share = Annotated[float, Bounds(0, 1)]
Count = Annotated[int, Bounds(1)]


class Guid(str):
    """An id as Microsoft writes it, in the one form that compares: small letters, hyphens, no braces."""

    __slots__ = ()

    def __new__(cls, value: str) -> "Guid":
        """The id that a text is, however it is written. Raises ValueError where it is none."""
        try:
            return super().__new__(cls, str(UUID(value.strip())))
        except ValueError:
            raise ValueError("An id is of the form 00000000-0000-0000-0000-000000000000.") from None


@dataclass(frozen=True, slots=True)
class Secret:
    """A value that must not be shown: `reveal` is the only way to it."""

    _value: str

    def reveal(self) -> str:
        """The value itself, for the one call that needs it."""
        return self._value

    def __repr__(self) -> str:
        return "Secret(…)"

    __str__ = __repr__


@dataclass(frozen=True, slots=True)
class NamedSecrets:
    """Secrets of sources, each by the name of the environment variable that holds it."""

    _variables: Mapping[str, str] = field(default_factory=dict, repr=False)

    def get(self, name: str) -> Secret | None:
        """The secret of that name; None where the variable is not set, or empty."""
        value = self._variables.get(name, "").strip()
        return Secret(value) if value else None
