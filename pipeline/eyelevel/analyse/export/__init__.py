"""Reads an export of the platform."""
