"""Results beside those of `eyelevel_stats`: of all scores, of participants, of stimuli, and in sentences."""
