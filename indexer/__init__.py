"""Documents become knowledge: read, parsed, chunked, embedded, written."""
