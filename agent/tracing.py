"""Spans for OpenTelemetry, where it is installed and wanted. Spans carry names, counts and times, never text."""

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from typing import Any, Protocol

from domain.errors import Misconfigured

Attributes = Mapping[str, str | int | float | bool]


class Spans(Protocol):
    """Where spans go."""

    def span(self, name: str, attributes: Attributes) -> AbstractContextManager[object]:
        """A span around a piece of work."""


class OpenTelemetrySpans:
    """Spans through an OpenTelemetry tracer. provider: whose tracer; None: the process's own."""

    def __init__(self, provider: Any = None) -> None:  # a TracerProvider, of a library that need not be installed
        try:
            from opentelemetry import trace
        except ImportError:
            raise Misconfigured(
                "OpenTelemetry is not installed",
                why="KB_AGENT_OTEL asks for spans.",
                next_step="Install kb-agent[otel], or set KB_AGENT_OTEL to false.",
            ) from None
        self._tracer = trace.get_tracer("kb-agent", tracer_provider=provider)
        self._failed = trace.StatusCode.ERROR

    @contextmanager
    def span(self, name: str, attributes: Attributes) -> Iterator[None]:
        """A span that is the child of the one around it. Of an error in it, the kind is noted: a message may hold
        what stood in a document."""
        with self._tracer.start_as_current_span(
            name, attributes=dict(attributes), record_exception=False, set_status_on_exception=False
        ) as span:
            try:
                yield
            except Exception as error:
                span.set_status(self._failed, type(error).__name__)
                raise
