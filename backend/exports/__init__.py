"""Exports: self-describing zip files of a snapshot and its result."""
