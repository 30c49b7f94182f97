"""Predicts the MOS of clips from metrics: of sites that were left out, and of new clips."""
