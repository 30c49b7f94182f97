"""Checks study files on the researcher's machine, and publishes them on a platform."""
