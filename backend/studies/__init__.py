"""Studies: frozen designs, their stimuli, and their fieldings with slots to fill."""
