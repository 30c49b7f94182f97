"""Tables that take fits and resampling: computed after the closed-form tables of a study."""
