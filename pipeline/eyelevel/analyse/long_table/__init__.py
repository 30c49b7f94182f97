"""Readers of long tables of votes from any source: one row per vote, with columns that the user names."""
