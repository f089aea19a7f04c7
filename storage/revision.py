"""Which schema this release works with."""

REVISION = "0021"
"""The migration this release needs."""
