"""Who sees which clips: selection from a batch, assignments of a quota, sides of pairs, order of a session's trials.

Pure functions: plain values and a seed in, plain values out. docs/explanation/allocation.md explains the whole.
"""
