"""Study: check a study file where it is written, and publish it on a platform."""
