"""Looks at results before the end of data collection: alpha spending, boundaries, and the answers at each look."""
