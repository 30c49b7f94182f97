"""Measurements besides the film: the browser's own metrics, use of the processors, moments of a run."""
