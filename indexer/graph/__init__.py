"""A document's part of the knowledge graph, made from its text and from what its source states. Pure."""
