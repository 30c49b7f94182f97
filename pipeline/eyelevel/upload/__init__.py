"""Upload: send a batch to a platform, and only what it lacks."""
