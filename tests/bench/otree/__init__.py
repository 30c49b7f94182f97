"""oTree as the load bench's peer: seven radio buttons, on the same PostgreSQL, met by the same generator."""
