"""Analyse: a snapshot of the votes, and results that name it."""
