"""Reports about single papers, on top of all else: entry points add them to commands, and nothing imports them."""
