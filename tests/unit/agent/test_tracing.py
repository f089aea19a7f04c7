import pytest
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import StatusCode

from agent.recorder import Recorder
from agent.tracing import OpenTelemetrySpans
from domain.errors import Transient
from domain.masking import Masker


@pytest.fixture
def exporter() -> InMemorySpanExporter:
    return InMemorySpanExporter()


@pytest.fixture
def provider(exporter: InMemorySpanExporter) -> TracerProvider:
    made = TracerProvider()
    made.add_span_processor(SimpleSpanProcessor(exporter))
    return made


def test_each_stage_is_a_span_without_any_text(exporter: InMemorySpanExporter, provider: TracerProvider) -> None:
    recorder = Recorder(Masker(), OpenTelemetrySpans(provider))
    with recorder.stage("search", 2):
        recorder.say("searched for a secret")
    (span,) = exporter.get_finished_spans()
    assert span.name == "kb.search"
    assert dict(span.attributes or {}) == {"kb.iteration": 2}
    assert not span.events
    assert [(each.stage, each.iteration) for each in recorder.stages] == [("search", 2)]


def test_of_an_error_in_a_stage_only_its_kind_is_noted(
    exporter: InMemorySpanExporter, provider: TracerProvider
) -> None:
    recorder = Recorder(Masker(), OpenTelemetrySpans(provider))
    with pytest.raises(Transient), recorder.stage("search", 1):
        raise Transient("no answer", why="postgresql://app:hunter22@db.example.com/app")
    (span,) = exporter.get_finished_spans()
    assert (span.status.status_code, span.status.description) == (StatusCode.ERROR, "Transient")
    assert not span.events
    assert "hunter22" not in span.to_json()
