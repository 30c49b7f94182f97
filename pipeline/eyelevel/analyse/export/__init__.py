"""Reading of exports of the platform."""
