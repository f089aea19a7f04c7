"""Everything that is kept, in PostgreSQL with pgvector."""
