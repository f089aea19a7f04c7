"""What all chat platforms share: a question comes in, is answered once, and the answer is shown."""
