"""The tables and figures of Saif et al. 2020, from takes, beside what the paper printed."""
