"""The colours before navigation."""

ORANGE = "#ff8000"
WHITE = "#ffffff"
