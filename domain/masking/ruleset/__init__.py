"""The table of what is masked: rules by the way in which a secret or personal data is written."""
