"""The film of a load: its screen, frames, lead-in, alignment, and the process that measures it meanwhile."""
