"""Comparison of the stacks of a batch: the analysis of the 2019 paper, and inference on log ratios."""
