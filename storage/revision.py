"""Which schema this release works with."""

REVISION = "0023"
"""The migration this release needs."""
