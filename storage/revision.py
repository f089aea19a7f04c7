"""Which schema this release works with."""

REVISION = "0026"
"""The migration this release needs."""
