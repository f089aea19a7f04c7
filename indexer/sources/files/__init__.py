"""A folder of documents, or one file."""
