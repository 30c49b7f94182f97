"""Privacy: withdrawal, erasure with its ledger, and retention."""
