"""The nodes of the graph, one a module."""
