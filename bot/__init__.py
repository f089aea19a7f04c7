"""Where people meet the product: the command line, and the chat platforms."""
