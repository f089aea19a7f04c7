"""The way out to other servers: address rules, HTTP, tries again, circuit breakers and budgets."""
