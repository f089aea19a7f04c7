"""What is said to a language model: one prompt a module, with a typed reply and a version."""
