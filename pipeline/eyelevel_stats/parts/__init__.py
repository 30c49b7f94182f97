"""Results of a study from parts of its votes: each part is reduced to sums, and sums of parts are added.

A part holds all votes of its participants, so that what a participant said counts once. The tables of closed form are
computed from the sums; fits and resampling need the votes themselves.
"""
