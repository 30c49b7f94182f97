"""Assignment of clips to sessions: selection from a batch, allocation of a quota, sides of pairs, order of trials.

Pure functions: plain values and a seed in, plain values out. docs/explanation/allocation.md explains the method.
"""
