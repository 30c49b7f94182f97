"""Batches of clips: received, checked, and stored as blobs under their digests."""
