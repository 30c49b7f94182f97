"""Takes films of replayed pages: campaign in, takes out."""
