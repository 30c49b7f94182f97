"""Words in the column `network` of tables that stand for several networks."""

# clips or votes of all networks, taken as one set
ALL = "all"
# an effect over all networks, each site on each network with the same weight; or one fit to all of them
POOLED = "pooled"
