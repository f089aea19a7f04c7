"""Text as indexing and asking both see it: tokens, sentences."""
