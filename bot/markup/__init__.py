"""The Markdown of answers, read once for all chat platforms: what is said in which style, and what may be live."""
