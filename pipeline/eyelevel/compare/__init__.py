"""Compare the stacks of a batch: what the paper of 2019 computed, and what should be believed."""
