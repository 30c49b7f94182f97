"""Cumulative link models of ordinal scores, with and without random effects."""
