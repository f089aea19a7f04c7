"""Reading the index for a scope: searches by words, vectors and patterns, passages, documents by name."""
