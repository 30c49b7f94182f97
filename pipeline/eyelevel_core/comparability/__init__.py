"""Comparability: were stacks served alike, which takes and sites are excluded, void and censored rates. Pure."""
