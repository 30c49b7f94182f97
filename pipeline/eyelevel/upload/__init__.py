"""Upload: sends a batch to a platform, without files that the platform already has."""
