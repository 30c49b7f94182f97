"""Django's PostgreSQL backend with a health check that tests the connection's socket instead of querying the server."""

import select
from typing import Any

from django.db.backends.postgresql import base


class DatabaseWrapper(base.DatabaseWrapper):
    def is_usable(self) -> bool:
        """Whether the server still answers.

        A server that stopped, crashed or closed this connection makes the socket readable. Only then is it queried
        (`SELECT 1`), because a change of its settings makes the socket readable too.
        """
        return (self.connection is not None and _is_silent(self.connection)) or super().is_usable()


def _is_silent(connection: Any) -> bool:
    if connection.closed:
        return False
    waiting = select.poll()
    waiting.register(connection.fileno(), select.POLLIN)
    return not waiting.poll(0)
