"""Which schema this release works with."""

REVISION = "0033"
"""The migration this release needs."""
