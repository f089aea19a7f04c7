"""Which schema this release works with."""

REVISION = "0024"
"""The migration this release needs."""
