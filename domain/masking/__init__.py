"""Secrets are masked before they leave: one engine for replies, citations, progress, errors and traces."""

from domain.masking.engine import MaskedText, Masker

__all__ = ["MaskedText", "Masker"]
