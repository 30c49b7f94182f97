"""Metrics against people: how well load-time metrics agree with mean opinion scores and with choices in pairs."""
