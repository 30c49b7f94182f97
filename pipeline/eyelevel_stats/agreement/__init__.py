"""Agreement of load-time metrics with mean opinion scores, and with choices in pairs."""
