"""What is made before the first run: calibration, volatile parameters, motion masks, replay checks."""
