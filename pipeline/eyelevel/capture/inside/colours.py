"""The colours of the pages before navigation."""

ORANGE = "#ff8000"
WHITE = "#ffffff"
