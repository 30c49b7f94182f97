"""All tables of the report, by section."""
