"""Secrets and personal data are masked before they leave: one engine for index, model, reply, log and trace."""

from domain.masking.engine import Finding, MaskedText, Masker
from domain.masking.policy import OwnRule, Policy

__all__ = ["Finding", "MaskedText", "Masker", "OwnRule", "Policy"]
