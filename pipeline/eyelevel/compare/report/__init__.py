"""The report: one HTML page, its figures as SVG, its tables as CSV. Texts in memory; `write.py` beside puts them into files."""
