"""Attempts of runs: made, judged, retried where void, and stored as takes."""
