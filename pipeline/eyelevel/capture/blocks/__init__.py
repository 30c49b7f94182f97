"""Campaigns on many machines: each block is filmed by one machine, and its result goes to a shared store."""
