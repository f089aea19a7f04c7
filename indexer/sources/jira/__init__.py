"""Jira, Cloud and Data Center."""
