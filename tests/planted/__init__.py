"""Studies whose right answers are known: planted Speed Indexes, simulated participants, and what must come out."""
