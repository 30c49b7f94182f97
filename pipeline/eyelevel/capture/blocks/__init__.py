"""Campaigns on many machines: a block is filmed by one of them, and its result is put into a store they share."""
