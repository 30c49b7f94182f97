"""Learns motion masks: films up to five loads of a recording's page, and masks what never comes to rest."""
