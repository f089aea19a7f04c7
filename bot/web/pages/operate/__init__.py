"""The pages to operate, for administrators."""
