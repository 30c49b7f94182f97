"""Learns motion masks: films up to five loads of a recording's page, and masks the parts that never stop changing."""
