"""Monitoring of studies in the field: arrivals, completions, dropouts, quota forecasts and alerts."""
