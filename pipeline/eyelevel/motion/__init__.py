"""Continuous motion: the tiles of a page that keep moving, and when a moving region has first appeared. Pure.

Used for learning a mask (capture), applying it (measure) and checking it (capture). Rules: docs/explanation/motion.md.
"""
