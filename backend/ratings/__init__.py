"""Participants, sessions and trials, with their append-only plays and votes."""
