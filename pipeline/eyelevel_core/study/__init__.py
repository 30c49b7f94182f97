"""Study files: parsing with line numbers, checks, defaults, and the typed design. Pure: text and values in and out."""
