"""Settings as values: what they are, and the one place that reads them."""
