"""Paired comparisons: worths of stacks, thresholds, just-objectionable differences, detection, sureness."""
