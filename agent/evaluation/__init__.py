"""Measuring the product: retrieval and answers on judged questions, golden questions of an operator."""
