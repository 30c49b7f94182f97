"""Statistics of perception and of page loads: plain values in, plain values out, no I/O."""

# goes with every result; raise it when a number of a table would come out differently
METHOD_VERSION = 14
