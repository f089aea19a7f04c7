"""Models behind the ports: local MiniLM, and any OpenAI-compatible embeddings endpoint."""
