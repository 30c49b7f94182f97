"""Descriptive statistics of votes: distributions, agreement, subject models, groups and order effects."""
