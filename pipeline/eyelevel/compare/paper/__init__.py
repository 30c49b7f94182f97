"""Parts that the reports about single papers share: which takes count, and a page with tables and figures."""
