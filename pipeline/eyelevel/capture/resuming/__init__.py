"""Resuming of an interrupted capture under the same conditions, from the files of its batch folder."""
