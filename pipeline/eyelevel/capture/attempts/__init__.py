"""Attempts at runs: films and checks them, retries void attempts, and stores takes."""
