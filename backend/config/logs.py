"""Logs: one JSON object per line on standard error, with the id of the request or the task that it belongs to.

No line has an address, a cookie or an answer of a participant. Messages are constant texts with values that are ours.
"""

import logging

import structlog
from structlog.typing import EventDict, WrappedLogger

from lib.failures import failure

# attributes that `extra` may add to a record
EXTRA = ("error", "trace")
PASSING = (503, 507)
# requests that Django refuses are logged under the name of the error, with what the sender wrote
SECURITY = "django.security."
REFUSED = {"DisallowedHost": "A request came under a name that EYELEVEL_ALLOWED_HOSTS lacks."}


class WithoutPath(logging.Filter):
    """Names the route in place of the path of a failed request, and the class of the error in place of its message.

    Requests that cannot be answered just now (503, 507) are not logged here: the code that answers so logs the reason.
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
    """Puts a constant text in place of the message of a request that Django refused."""

    def filter(self, record: logging.LogRecord) -> bool:
        if record.name.startswith(SECURITY):
            record.msg, record.args = REFUSED.get(record.name.removeprefix(SECURITY), "A request was refused."), ()
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
    """For logging.config.dictConfig."""
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
            # a line for each request that strangers send without a cookie
            "django.security.csrf": {"level": "ERROR"},
            # a line for each request that waits for a thread, and the address of each clip whose reader went away
            "waitress": {"level": "ERROR"},
            # the development server's access log
            "django.server": {"handlers": [], "level": "ERROR", "propagate": True},
            # a line for where it found credentials, each time
            "botocore": {"level": "WARNING"},
            # its own handler writes plain text
            "gunicorn.error": {"handlers": [], "level": "ERROR", "propagate": True},
        },
    }
