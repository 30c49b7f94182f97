"""What runs inside the testbed's client namespace: one page load, filmed. It knows nothing of campaigns."""
