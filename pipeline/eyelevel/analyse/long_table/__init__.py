"""Reads long tables of other people's votes: one row per vote, columns named by the caller."""
