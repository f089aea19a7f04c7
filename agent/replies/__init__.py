"""Writing a reply: sentence by sentence, checked, numbered and masked."""
