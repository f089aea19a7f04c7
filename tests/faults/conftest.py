"""The fixtures of the flows: faults happen to the same command."""

from tests.flows.conftest import (
    docs,
    embeddings,
    handbook_database,
    indexed,
    kb,
    kb_process,
    pytest_runtest_makereport,
    shared,
    url,
)

__all__ = [
    "docs",
    "embeddings",
    "handbook_database",
    "indexed",
    "kb",
    "kb_process",
    "pytest_runtest_makereport",
    "shared",
    "url",
]
