"""Secrets and personal data are masked before they leave: one engine for index, model, reply, log and trace."""

from domain.masking.engine import Masker, MaskStream
from domain.masking.masked import Finding, MaskedText, masked_kinds, without_masks
from domain.masking.policy import OwnRule, Policy

__all__ = ["Finding", "MaskStream", "MaskedText", "Masker", "OwnRule", "Policy", "masked_kinds", "without_masks"]
