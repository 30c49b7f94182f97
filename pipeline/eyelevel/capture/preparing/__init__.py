"""Preparation before the first run: calibration, volatile parameters, motion masks and replay checks."""
