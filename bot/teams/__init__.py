"""Microsoft Teams as a chat platform."""
