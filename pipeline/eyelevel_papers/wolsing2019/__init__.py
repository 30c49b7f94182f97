"""The tables and figures of Wolsing et al. 2019, as a section of each comparison, beside the printed ones."""
