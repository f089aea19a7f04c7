"""The Model Context Protocol: programs with a language model search and ask as tools, by its SDK."""
