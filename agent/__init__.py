"""A question becomes an answer: knows ports, not databases, not chat platforms."""
