"""Implements `analyse --part` and `--merge`: reduce each part of an export, then merge the parts."""
