"""Sends a batch to a platform, and only the files that it lacks."""
