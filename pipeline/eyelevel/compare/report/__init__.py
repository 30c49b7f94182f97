"""The report: one HTML page, its figures as SVG, its tables as CSV. Texts only; files are another's."""
