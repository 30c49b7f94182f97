"""Learns which parameters of a recording's requests are volatile (rule M8), from two loads with other seeds."""
