"""Django's PostgreSQL backend; before each request it looks at the connection's socket instead of asking the server."""

import select
from typing import Any

from django.db.backends.postgresql import base


class DatabaseWrapper(base.DatabaseWrapper):
    def is_usable(self) -> bool:
        """Whether the server is still there.

        A server that stopped, crashed or ended this connection has closed the socket, which then can be read. Only
        then is it asked (`SELECT 1`), since a change of its settings can be read there too.
        """
        return (self.connection is not None and _is_silent(self.connection)) or super().is_usable()


def _is_silent(connection: Any) -> bool:
    if connection.closed:
        return False
    waiting = select.poll()
    waiting.register(connection.fileno(), select.POLLIN)
    return not waiting.poll(0)
