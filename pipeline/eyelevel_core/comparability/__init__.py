"""Comparability: checks whether all stacks were served the same, and excludes takes and sites. Pure."""
