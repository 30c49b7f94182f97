"""Batches of clips: received, checked, and kept as blobs under their digests."""
