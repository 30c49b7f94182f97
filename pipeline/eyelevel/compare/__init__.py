"""Compares the stacks of a batch: the analysis of the paper of 2019, and inference on log ratios."""
