"""Motion that never ends: which tiles of a page move, and when a moving region has first appeared. Pure.

Shared by the stages that learn a mask (capture), apply it (measure) and check it (capture). Rules:
docs/explanation/motion.md.
"""
