"""Confluence and Jira, Cloud and Data Center."""
