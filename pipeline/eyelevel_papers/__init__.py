"""Reports about single papers: the top layer, which entry points add to commands, and which nothing imports."""
