"""What it takes for text to be struck out: it does not hold any more, and is not indexed."""

STRIKING = frozenset({"del", "s", "strike"})
"""The elements of HTML that strike out what is in them."""


def is_struck(name: str, style: str | None) -> bool:
    """Whether an element called `name` strikes out what is in it, by itself or by its style."""
    if name.lower() in STRIKING:
        return True
    rules = (rule.partition(":") for rule in (style or "").lower().split(";"))
    return any("line-through" in how for what, _, how in rules if what.strip().startswith("text-decoration"))
