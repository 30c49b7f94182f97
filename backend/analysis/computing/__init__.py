"""Computation of results from snapshots: scheduling, staleness, and the computations themselves."""
