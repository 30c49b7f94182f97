"""The film of a load: its screen, frames, lead-in and alignment, and the process that measures it while it is made."""
