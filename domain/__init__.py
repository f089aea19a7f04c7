"""The nouns every package shares: pure values, pure rules, and the ports between packages."""
