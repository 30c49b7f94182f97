"""What several rooms' tests need: batches, studies and people. Nothing of the platform imports this."""
