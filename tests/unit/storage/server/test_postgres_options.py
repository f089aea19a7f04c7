"""How much memory the embedded server may take."""

from pathlib import Path

import pytest

from storage.server.postgres_options import machine_mb


@pytest.mark.parametrize(("limit", "of_it"), [("1073741824\n", 1024), ("max\n", None), (None, None)])
def test_a_container_has_what_it_is_allowed(tmp_path: Path, limit: str | None, of_it: int | None) -> None:
    file = tmp_path / "memory.max"
    if limit is not None:
        file.write_text(limit)
    whole = machine_mb(tmp_path / "nothing")
    assert machine_mb(file) == (min(of_it, whole) if of_it else whole)
