"""Understanding a question without a model: filters, ids, intent, sub-questions, follow-ups."""
