"""Downloads of one file in the testbed: throughput over time, packets and bytes."""
