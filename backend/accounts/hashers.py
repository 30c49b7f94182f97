"""Password hashing, at most one at a time per process, so that many logins cannot occupy all threads and cores."""

from threading import Lock
from typing import Any

from django.contrib.auth.hashers import PBKDF2PasswordHasher

from lib.problems import Problem

RETRY_S = 1
_hashing = Lock()


class OneAtATimeHasher(PBKDF2PasswordHasher):
    """Django's default hash; raises Problem 429 `busy` at once while another password is being hashed.

    Waiting would occupy a web thread. Passwords are checked, set and upgraded through `encode` alone.
    """

    def encode(self, *args: Any, **kwargs: Any) -> str:
        if not _hashing.acquire(blocking=False):
            message = f"Another password is being checked; try again in {RETRY_S} s."
            raise Problem(429, "busy", message, retry=True, details={"retry_after_s": RETRY_S})
        try:
            return super().encode(*args, **kwargs)
        finally:
            _hashing.release()
