"""From a snapshot to results: whose turn it is, what is out of date, and the computations."""
