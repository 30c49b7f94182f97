"""Batch: takes become clips, single and side by side, and a folder that describes itself."""
