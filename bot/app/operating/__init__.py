"""What administrators look at and do over HTTP, by the same functions as the commands."""
