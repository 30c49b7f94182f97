"""Logs: one JSON object per line on standard error, with the id of its request or task.

No line contains an IP address, a cookie or a participant's answer. Messages are constant texts with values that the
platform generates.
"""

import logging

import structlog
from structlog.typing import EventDict, WrappedLogger

from lib.failures import failure

# attributes that `extra` may add to a record
EXTRA = ("error", "trace")
PASSING = (503, 507)
# Django logs requests that it rejects under the name of the error, with the sender's input
SECURITY = "django.security."
REFUSED = {"DisallowedHost": "A request had a host name that is not in EYELEVEL_ALLOWED_HOSTS."}


class WithoutPath(logging.Filter):
    """Replaces the path of a failed request by its route, and the message of an error by its class.

    Drops requests that temporarily cannot be answered (503, 507), because the code that responds logs the reason.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        if getattr(record, "status_code", None) in PASSING:
            return False
        request = getattr(record, "request", None)
        if request is not None and isinstance(record.args, tuple) and len(record.args) == 2:
            match = getattr(request, "resolver_match", None)
            record.args = (record.args[0], match.route if match else "?")
        if record.exc_info and record.exc_info[1] is not None:
            record.__dict__.update(failure(record.exc_info[1]))
            record.exc_info = None
        return True


class WithoutSent(logging.Filter):
    """Replaces the message about a request that Django rejected by a constant text."""

    def filter(self, record: logging.LogRecord) -> bool:
        if record.name.startswith(SECURITY):
            record.msg, record.args = REFUSED.get(record.name.removeprefix(SECURITY), "A request was rejected."), ()
            if record.exc_info and record.exc_info[1] is not None:
                record.__dict__.update(failure(record.exc_info[1]))
                record.exc_info = None
        return True


def _add_extra(_logger: WrappedLogger, _name: str, event: EventDict) -> EventDict:
    record: logging.LogRecord | None = event.get("_record")
    for name in EXTRA:
        if record is not None and name in record.__dict__:
            event[name] = record.__dict__[name]
    return event


BEFORE = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_logger_name,
    structlog.stdlib.add_log_level,
    structlog.processors.TimeStamper(fmt="iso", utc=True, key="at"),
    _add_extra,
]


def configuration() -> dict[str, object]:
    """The dictionary for logging.config.dictConfig."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "json": {
                "()": structlog.stdlib.ProcessorFormatter,
                "foreign_pre_chain": BEFORE,
                "processors": [
                    structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                    structlog.processors.format_exc_info,
                    structlog.processors.JSONRenderer(),
                ],
            }
        },
        "filters": {"without-path": {"()": WithoutPath}, "without-sent": {"()": WithoutSent}},
        "handlers": {
            "stderr": {"class": "logging.StreamHandler", "formatter": "json", "filters": ["without-sent"]},
            "groups": {"class": "health.error_log.ErrorLog", "level": "ERROR", "filters": ["without-sent"]},
        },
        "root": {"handlers": ["stderr", "groups"], "level": "INFO"},
        "loggers": {
            # Django's handler mails requests, with their addresses, to administrators
            "django": {"handlers": [], "level": "INFO", "propagate": True},
            "django.request": {"level": "ERROR", "filters": ["without-path"]},
            # one line per request that a stranger sends without a cookie
            "django.security.csrf": {"level": "ERROR"},
            # one line per request that waits for a thread, and the address of each clip whose client disconnected
            "waitress": {"level": "ERROR"},
            # the development server's access log
            "django.server": {"handlers": [], "level": "ERROR", "propagate": True},
            # one line about the source of credentials, each time
            "botocore": {"level": "WARNING"},
            # its default handler writes plain text
            "gunicorn.error": {"handlers": [], "level": "ERROR", "propagate": True},
        },
    }
