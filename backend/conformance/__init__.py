"""Conformance (data quality screening): rules R1 to R7 on stored evidence, and their consequences."""
