"""Every table of the report, in the order of its sections."""
