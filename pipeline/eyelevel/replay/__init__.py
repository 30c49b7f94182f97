"""Replay checks and learning: load a recording's page over a network without limits, and judge what can be seen."""
