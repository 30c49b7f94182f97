"""Starts the testbed, which is a separate program (pipeline/testbed)."""
