"""Who did what, and what is kept of one person."""
