"""Digests of clips for participants, keyed by trial, so that two participants cannot pair their clips by them.

A browser that holds the bytes can check them, and nobody else learns anything: the key is the random token in the
clip's address. Whoever keeps the bytes can still compare those; so can everybody with size and length.
"""

import hmac

from ratings.models import Trial
from ratings.tombstones import living


def clip_digest(trial: Trial) -> str:
    """HMAC-SHA-256 of the clip's SHA-256 with the trial's clip token as key; the clip itself is not read for it."""
    key = living(trial.clip_token).encode()
    return hmac.digest(key, bytes.fromhex(trial.stimulus.clip.sha256), "sha256").hex()
