"""The index run over one source: list, fetch, parse, chunk, embed, write, prune, report."""
