"""The nouns of Eyelevel as frozen dataclasses, and the table of the metrics."""
