"""Raw bytes of a file become its structure, in a child process with limits."""
