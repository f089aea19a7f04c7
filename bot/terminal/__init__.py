"""The terminal as a place to ask."""
