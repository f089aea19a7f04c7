"""Checking a reply against its sources: support, citations, contradictions."""
