"""Films replayed pages: a campaign in, takes out."""
