"""Campaigns on several machines: one machine films each block, and stores its result in a shared store."""
