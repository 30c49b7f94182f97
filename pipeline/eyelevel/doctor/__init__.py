"""Checks of what each stage needs on this machine."""
