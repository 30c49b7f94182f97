"""Snapshots of a study's votes: reads the database at one moment, and stores and reads Parquet files."""
