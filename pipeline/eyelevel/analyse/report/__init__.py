"""Renders the report of `eyelevel analyse`: one HTML page that needs nothing else."""
