"""Tables that need model fits or resampling, computed after the closed-form tables of a study."""
