"""Microsoft Teams as a platform of conversations; what it is like stands in docs/teams.md."""
