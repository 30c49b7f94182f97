"""What happens inside the testbed's client namespace: page loads, filmed one by one. It knows nothing of campaigns."""
