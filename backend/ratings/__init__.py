"""Participants, their sessions and trials, and what they answer: plays and votes, which are only ever added."""
