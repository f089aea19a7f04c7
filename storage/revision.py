"""Which schema this release works with."""

REVISION = "0025"
"""The migration this release needs."""
