"""Renders the report: one HTML page, figures as SVG, tables as CSV."""
