"""From votes to stored snapshots: reads a study at one moment, stores it as Parquet files, and reads these back."""
