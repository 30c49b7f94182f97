"""Conformance (data quality screening): applies rules R1 to R9 to stored evidence, and excludes sessions."""
