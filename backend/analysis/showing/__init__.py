"""Presentation of results for pages and exports: tables, answers, figures, clips, looks and departures."""
