"""Statistics of perception and of page loads: plain values in, plain values out, no I/O."""

# stored with every result; raise it when a number of a table would change
METHOD_VERSION = 14
