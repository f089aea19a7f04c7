"""What is kept for who asks over HTTP."""
