"""The statistics of an export, without a server."""
