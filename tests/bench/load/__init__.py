"""The load bench: many participants at study pace, and what they cost the server."""
