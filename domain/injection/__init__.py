"""Finds text that is addressed to a machine: instructions that somebody put into a document for a model to obey.

This is the only module of the package that others may import.
"""

from domain.injection.detector import INJECTION_REVISION, injection_in

__all__ = ["INJECTION_REVISION", "injection_in"]
