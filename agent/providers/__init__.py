"""Models behind the ports: chat, embeddings and reranking, local or at an endpoint, with their wrappers."""
