"""Computes results from parts of a study's votes: reduces each part to sums, then adds the sums.

A part holds all votes of its participants, so that what a participant said counts once. The tables of closed form are
computed from the sums; fits and resampling need the votes themselves.
"""
