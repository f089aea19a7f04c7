"""What Confluence and Jira share: the HTTP client, paging, errors, webhooks."""
