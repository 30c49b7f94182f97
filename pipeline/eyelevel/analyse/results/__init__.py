"""Results in addition to those of `eyelevel_stats`: by score, participant and stimulus, and as sentences."""
