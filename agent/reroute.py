"""The same question, sent another way. Pure."""

from dataclasses import replace

from agent.state import Analysis


def rerouted(analysis: Analysis) -> Analysis:
    """For another strategy: by meaning instead of words, and no longer held to be simple."""
    return replace(analysis, intent="conceptual", vague=True, complexity="moderate")
