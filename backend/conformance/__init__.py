"""Conformance (data quality screening): rules R1 to R9 on stored evidence, and their consequences."""
