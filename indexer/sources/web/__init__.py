"""Web pages: one address, or the pages of a sitemap."""
