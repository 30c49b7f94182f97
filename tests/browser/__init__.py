"""People in a browser: a participant, a researcher and an admin against a real platform."""
