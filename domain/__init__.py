"""The nouns every room shares: pure values, pure rules, and the ports between rooms."""
