"""How good retrieval is, measured."""
