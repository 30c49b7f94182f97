"""Plan of a campaign: its file, its runs in their order, its networks, expected hours and disk space."""
