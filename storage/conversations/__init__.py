"""Questions and what became of them: ledger, memory, feedback, and the replies of models that are kept."""
