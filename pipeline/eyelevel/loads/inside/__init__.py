"""The capture worker: films page loads one by one inside the testbed's client namespace."""
