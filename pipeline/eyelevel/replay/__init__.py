"""The way to the testbed, which is a program of its own (pipeline/testbed)."""
