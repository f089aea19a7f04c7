"""How fast it is. PyTorch and rank-bm25 appear here as peers only."""
