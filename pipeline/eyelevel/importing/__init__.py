"""Turns what other tools recorded (HAR, WACZ, Mahimahi) into a recording."""
