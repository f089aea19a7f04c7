"""The reasoner with a language model."""
