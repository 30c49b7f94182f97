"""Names of the tables of a stored result, beside those of `eyelevel_stats.tables`."""

# ratings by score, over all sites, networks and stacks: it says nothing about a stack
RATING_COUNTS = "rating_counts"
# rows of `eyelevel_stats.rows.clip_votes` by the clip's digest
CLIP_VOTES = "clip_votes"
