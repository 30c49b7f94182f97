"""Comparability: were stacks served alike, and which takes and sites are excluded. Pure."""
