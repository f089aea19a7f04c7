"""Everything that is kept, in PostgreSQL with pgvector; server and tables at the bottom, open.py at the top."""
