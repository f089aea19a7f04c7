"""Documents are cut into chunks that fit the embedding model."""
