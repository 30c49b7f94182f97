"""Computes FVC, SI, VC85, LVC and the curve of visual completeness from frames."""
