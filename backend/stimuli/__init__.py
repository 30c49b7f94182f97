"""Batches of clips: upload, checks, and storage as blobs under their digests."""
