"""Study files: parsing, checks with line numbers, defaults."""
