"""Which schema this release works with."""

REVISION = "0032"
"""The migration this release needs."""
