"""How much Teams takes of everything. Pure."""

INFORMATIVE = 1024
"""Bytes of what a stream says of its progress."""
