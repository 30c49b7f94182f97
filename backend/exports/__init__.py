"""Exports: self-describing files made from a snapshot and its result."""
