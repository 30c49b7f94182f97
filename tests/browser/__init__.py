"""Browser tests: participants, researchers and admins use a real platform."""
