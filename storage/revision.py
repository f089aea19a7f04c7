"""Which schema this release works with."""

REVISION = "0027"
"""The migration this release needs."""
