"""Session engine (SESSION_ENGINE) that stores sessions as `SignIn`, with columns derived from a session's data."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore as DatabaseStore

from accounts.models import SignIn

# keys that a session has beside Django's own, since its sign-in; times in seconds
BEGUN, SEEN, BROWSER = "begun_at", "seen_at", "browser"


class SessionStore(DatabaseStore):
    @classmethod
    def get_model_class(cls) -> type[SignIn]:
        return SignIn

    def create_model_instance(self, data: Mapping[str, Any]) -> SignIn:
        row = super().create_model_instance(dict(data))
        if not isinstance(row, SignIn):
            raise TypeError(f"a session is a {type(row).__name__}, but must be a SignIn")
        user = data.get(SESSION_KEY)
        row.user_id = None if user is None else int(user)
        row.browser = data.get(BROWSER, "")
        row.begun_at, row.seen_at = (_moment(data.get(name)) for name in (BEGUN, SEEN))
        return row


def _moment(seconds: int | None) -> datetime | None:
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC)
