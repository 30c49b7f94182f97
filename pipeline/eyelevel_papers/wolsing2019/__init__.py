"""The tables and figures of Wolsing et al. 2019, a section of each comparison, beside what the paper printed."""
