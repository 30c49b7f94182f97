"""Parses environment variables strictly; raises an error that names the variable for an invalid value.

`eyelevel_core.variables` declares the defaults. Pass `default` only where it depends on other settings.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

from eyelevel_core.variables import default_of
from lib.secret_values import MAKE, refuse_known, secret

LOOPBACK = ("localhost", "127.0.0.1", "[::1]")


def flag(env: Mapping[str, str], name: str, *, default: bool | None = None) -> bool:
    value = env.get(name, "").strip().lower()
    if value == "" and default is not None:
        return default
    value = value or default_of(name)
    if value in ("1", "true", "yes", "on"):
        return True
    if value in ("0", "false", "no", "off"):
        return False
    raise ImproperlyConfigured(f"{name} is {value!r}, but must be 1 or 0.")


def count(env: Mapping[str, str], name: str, *, default: int | None = None) -> int:
    value = env.get(name) or (default_of(name) if default is None else str(default))
    if not re.fullmatch(r"[1-9][0-9]{0,8}", value):
        raise ImproperlyConfigured(f"{name} is {value!r}, but must be a whole number above 0.")
    return int(value)


def names(env: Mapping[str, str], name: str) -> list[str]:
    parts = [part.strip() for part in env.get(name, "").split(",")]
    return [part for part in parts if part] or [part for part in default_of(name).split(",") if part]


def database(env: Mapping[str, str]) -> dict[str, Any]:
    """Django's entry for the default database, from EYELEVEL_DATABASE_URL, else from libpq's PGHOST, PGUSER, ...

    `postgresql://user@/name?host=%2Frun%2Feyelevel` connects through a Unix socket.
    """
    url = env.get("EYELEVEL_DATABASE_URL", "")
    parts = _database_from_url(url) if url else _database_from_libpq(env)
    if password := secret(env, "EYELEVEL_DATABASE_PASSWORD"):
        if parts["PASSWORD"] not in ("", password):
            raise ImproperlyConfigured(
                "The database has two passwords: EYELEVEL_DATABASE_PASSWORD, and another one in EYELEVEL_DATABASE_URL "
                "or PGPASSWORD; keep one of them."
            )
        parts["PASSWORD"] = password
    # a receipt confirms that the vote is on disk, so a commit returns only then, whatever the server's setting
    parts["OPTIONS"] = {
        "options": "-c synchronous_commit=on",
        # PostgreSQL plans a statement once per connection after some repetitions; a pooler in between must keep a
        # connection's prepared statements
        "server_side_binding": True,
        "prepare_threshold": 5,
        **parts["OPTIONS"],
    }
    return {
        "ENGINE": "lib.postgresql",
        "CONN_MAX_AGE": 60,
        "CONN_HEALTH_CHECKS": True,
        **parts,
    }


def celery_broker(redis_url: str) -> str:
    """The URL of the same server for kombu, whose syntax for Unix sockets differs from that of redis-py."""
    parts = urlsplit(redis_url)
    if parts.scheme in ("redis", "rediss"):
        return redis_url
    if parts.scheme == "unix":
        number = dict(parse_qsl(parts.query)).get("db", "0")
        return f"redis+socket://{parts.path}?virtual_host={number}"
    raise ImproperlyConfigured(
        f"EYELEVEL_REDIS_URL starts with {parts.scheme!r}, but must be redis:, rediss: or unix:."
    )


def web_address(name: str, value: str) -> str:
    """Check that the value is empty or an HTTP URL, and return it."""
    if value and urlsplit(value).scheme not in ("http", "https"):
        raise ImproperlyConfigured(f"{name} must begin with https:// or http://.")
    return value


@dataclass(frozen=True)
class Smtp:
    """An SMTP server, and the encryption of the connection."""

    host: str
    port: int
    user: str
    password: str
    is_tls_from_start: bool
    is_tls_later: bool


def smtp(env: Mapping[str, str]) -> Smtp:
    """Parse EYELEVEL_SMTP_URL: `smtps:` is encrypted from the start, `smtp:` with a user uses STARTTLS."""
    url = urlsplit(secret(env, "EYELEVEL_SMTP_URL") or default_of("EYELEVEL_SMTP_URL"))
    if url.scheme not in ("smtp", "smtps") or not url.hostname:
        raise ImproperlyConfigured("EYELEVEL_SMTP_URL must be smtps://user:password@host or smtp://host:port.")
    is_tls = url.scheme == "smtps"
    user = unquote(url.username or "")
    return Smtp(
        host=url.hostname,
        port=url.port or (465 if is_tls else 587 if user else 25),
        user=user,
        password=unquote(url.password or ""),
        is_tls_from_start=is_tls,
        is_tls_later=bool(user) and not is_tls,
    )


def is_loopback(hosts: list[str]) -> bool:
    return all(host in LOOPBACK for host in hosts)


def is_exposed(hosts: list[str], bind: str) -> bool:
    """Whether other machines can reach the platform: an allowed host or the web server's address is not loopback."""
    return not is_loopback([*hosts, *([bind.rpartition(":")[0]] if bind else [])])


def demand_secrets(secrets: Mapping[str, str], *, needed: str) -> None:
    """Raise ImproperlyConfigured if `needed` is missing or one of the secrets is publicly known."""
    if not secrets[needed]:
        raise ImproperlyConfigured(f"{needed} is missing, but other machines can reach this platform; {MAKE}.")
    for name, value in secrets.items():
        refuse_known(name, value)


def _database_from_url(url: str) -> dict[str, Any]:
    parts = urlsplit(url)
    if parts.scheme not in ("postgresql", "postgres"):
        raise ImproperlyConfigured(
            f"EYELEVEL_DATABASE_URL starts with {parts.scheme!r}, but the platform needs PostgreSQL (postgresql:)."
        )
    options = dict(parse_qsl(parts.query))
    return {
        "NAME": unquote(parts.path.lstrip("/")) or "eyelevel",
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": options.pop("host", None) or unquote(parts.hostname or ""),
        "PORT": options.pop("port", None) or str(parts.port or ""),
        "OPTIONS": options,
    }


def _database_from_libpq(env: Mapping[str, str]) -> dict[str, Any]:
    return {
        "NAME": env.get("PGDATABASE", "eyelevel"),
        "USER": env.get("PGUSER", ""),
        "PASSWORD": env.get("PGPASSWORD", ""),
        "HOST": env.get("PGHOST", ""),
        "PORT": env.get("PGPORT", ""),
        "OPTIONS": {},
    }
