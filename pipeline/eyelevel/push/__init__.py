"""Uploads a batch to a platform; sends only the files that the platform lacks."""
