"""Statistics of perception and of page loads: plain values in, plain values out, no I/O."""
