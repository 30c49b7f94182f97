"""Outcome of a campaign: comparison of its takes' content, rates per stack, messages and progress."""
