"""Measure: FVC, SI, VC85, LVC and the progress curve, from frames."""
