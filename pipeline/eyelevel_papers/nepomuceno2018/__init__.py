"""The tables and figures of Nepomuceno et al. 2018, from takes, beside what the paper printed."""
