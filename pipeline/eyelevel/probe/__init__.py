"""Learns motion masks: loads a recording's page five times, watches what never comes to rest, and writes the mask."""
