"""Digests of clips for participants, keyed by trial, so that participants cannot match their clips by digest.

A browser that has the bytes can check them, and the digest reveals nothing else: the key is the random token in the
clip's URL. Participants who keep the bytes can still compare them, or compare size and duration.
"""

import hmac

from ratings.models import Trial
from ratings.tombstones import living


def clip_digest(trial: Trial) -> str:
    """HMAC-SHA-256 of the clip's SHA-256 with the trial's clip token as key; does not read the clip itself."""
    key = living(trial.clip_token).encode()
    return hmac.digest(key, bytes.fromhex(trial.stimulus.clip.sha256), "sha256").hex()
