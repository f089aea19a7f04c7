"""What a reader may see, as the database knows it by itself: views that hold no other row, whatever a query asks for.

Below a policy each row would be looked up once more for its document; the views join it once (migration 0015).
"""


def _source(view: str, *rows: str) -> str:
    parts = (f" CROSS JOIN LATERAL (SELECT (visible.{row}).*) {row}" for row in rows)
    return f"({view} visible{''.join(parts)})"


CHUNKS = _source("visible_chunks", "c", "d")
"""What a query reads instead of chunks `c` with their documents `d`."""

MENTIONS = _source("visible_mentions", "k", "d")
"""What a query reads instead of mentions `k` with their documents `d`."""

RELATIONS = _source("visible_relations", "r", "c", "d")
"""What a query reads instead of relations `r` with their chunks `c` and documents `d`."""


def vectors(table: str) -> str:
    """What a query reads instead of vectors `v`, or propositions, with their chunks `c` and documents `d`."""
    return _source(f"visible_{table}", "v", "c", "d")
