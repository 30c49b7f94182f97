"""Privacy: withdrawal, erasure and its ledger, retention."""
