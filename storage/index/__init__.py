"""Rows of the index and their writing: sources, documents, chunks, vectors, postings, graph rows, runs."""
