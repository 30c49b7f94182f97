"""Helpers that every app may use: API errors, validated text input, read-only admin pages."""
