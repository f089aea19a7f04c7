"""The texts around an answer, a module for each language: `TEXTS` maps English templates to translations."""
