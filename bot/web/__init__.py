"""HTTP: the API for programs, and pages for people in a browser."""
