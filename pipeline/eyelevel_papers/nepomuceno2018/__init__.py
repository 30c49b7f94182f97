"""The tables and figures of Nepomuceno et al. 2018, from takes, beside the printed ones."""
