"""Which schema this release works with."""

REVISION = "0022"
"""The migration this release needs."""
