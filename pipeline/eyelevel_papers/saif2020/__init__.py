"""The tables and figures of Saif et al. 2020, from takes, beside the printed ones."""
