"""Sends the warnings of the health report by e-mail and to a webhook, if these are configured."""

from health.report import report
from health.text import WARNINGS
from lib.messages import Message, channels, deliver
from lib.redis_client import redis_client

PAGE = "/admin/health"
REPEATED_AFTER_S = 24 * 3600
# the restart of a service is no news, and without the worker nothing is sent
UNSENT = ("service",)


def send_warnings() -> int:
    """Send each current warning once a day by each channel; returns the number of messages sent.

    A channel that fails is tried again the next time. Raises redis.RedisError.
    """
    used = channels()
    codes = [code for code in report().warnings if code not in UNSENT] if used else []
    sent = 0
    with redis_client() as client:
        for code, channel in ((code, channel) for code in codes for channel in used):
            key = f"eyelevel:warned:{channel}:{code}"
            if not client.set(key, 1, nx=True, ex=REPEATED_AFTER_S):
                continue
            delivered = False
            try:
                delivered = deliver(channel, Message("operation", WARNINGS[code], PAGE, {"code": code}))
            finally:
                if not delivered:
                    client.delete(key)
            sent += delivered
    return sent
