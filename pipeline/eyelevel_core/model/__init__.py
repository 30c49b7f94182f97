"""Domain model: frozen dataclasses for campaigns, takes, clips and batches, and the table of metrics."""
