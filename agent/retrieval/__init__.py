"""Finding passages: rankings by words, by meaning and by the knowledge graph, fused into one."""
