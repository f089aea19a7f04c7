"""Reading the knowledge graph: entities by name, what lies around them, and the whole of it for its operator."""
