from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from agent.recorder import Recorder
from agent.tracing import OpenTelemetrySpans


def test_each_stage_is_a_span_without_any_text() -> None:
    exporter = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    recorder = Recorder(OpenTelemetrySpans(provider))
    with recorder.stage("search", 2):
        recorder.say("searched for a secret")
    (span,) = exporter.get_finished_spans()
    assert span.name == "kb.search"
    assert dict(span.attributes or {}) == {"kb.iteration": 2}
    assert not span.events
    assert [(each.stage, each.iteration) for each in recorder.stages] == [("search", 2)]
