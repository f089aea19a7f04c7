"""Data sets in the BEIR layout, for evaluation."""
