"""Study: checks a study file offline, and publishes it on a platform."""
