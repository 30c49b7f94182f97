"""The plan's hypotheses about stacks: estimand, verdict and answer."""
