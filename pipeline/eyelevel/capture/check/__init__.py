"""Replay checks: load a recording's page over a network without limits, and judge what of its misses can be seen."""
