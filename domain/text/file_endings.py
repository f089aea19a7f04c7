"""Endings of file names by which a text is seen to name a document."""

DOCUMENTS = r"md|rst|adoc|txt|pdf|docx?|xlsx?|pptx?|odt|html?|csv|tsv|ya?ml|toml|json|ini|cfg|conf"
"""As a part of a pattern. Endings of code are not here: `node.js` is more often no file."""
