"""Contact sheets: all runs of a site, network and stack in one picture."""
