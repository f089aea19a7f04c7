"""The two reasoners behind agent.reasoner: without a language model, and with one."""
