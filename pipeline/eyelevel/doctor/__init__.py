"""What is missing on this machine for which stage, and how to get it."""
