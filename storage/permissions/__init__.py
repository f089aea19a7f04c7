"""Who may see what: ACLs, the people of sources, and the epoch that rises when any of it changes."""
