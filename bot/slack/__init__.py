"""What is said on Slack, as Block Kit."""
