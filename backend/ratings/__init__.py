"""Participants, sessions and trials, and their plays and votes, which are append-only."""
