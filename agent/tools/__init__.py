"""The tools of the agent: one table of them in registry.py."""
