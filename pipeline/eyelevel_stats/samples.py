"""Smallest numbers of clips, sites and participants for which results are computed."""

# agreement of a metric with people: with fewer, there is no result
MIN_CLIPS = 10
MIN_SITES = 5
# effects of a stack (definition E6): with fewer sites, intervals hold for these very sites
LEAST_SITES = 5
LEAST_PARTICIPANTS = 2
