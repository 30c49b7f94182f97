"""Secrets from the environment or from files: NAME is the value, or NAME_FILE the path of a file with it.

Containers use files, which are not visible in `docker inspect` or in child processes.
"""

from collections.abc import Mapping
from pathlib import Path
from urllib.parse import quote, urlsplit, urlunsplit

from django.core.exceptions import ImproperlyConfigured

from eyelevel_core.variables import default_of

# values that appear in compose files or guides
KNOWN = frozenset(
    ("only-for-loopback", "changeme", "change-me", "default", "eyelevel", "example", "password", "postgres", "secret")
)
MAKE = "run deploy/make-secrets"


def secret(env: Mapping[str, str], name: str) -> str:
    """The value of NAME, or the contents of the file that NAME_FILE names; empty if neither is set."""
    value, path = env.get(name, ""), env.get(f"{name}_FILE", "")
    if value and path:
        raise ImproperlyConfigured(f"{name} and {name}_FILE are both set; keep one of them.")
    if not path:
        return value
    try:
        read = Path(path).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or "it is not text"
        raise ImproperlyConfigured(f"{name}_FILE is {path!r}, which cannot be read ({why}); {MAKE}.") from None
    if not read:
        raise ImproperlyConfigured(f"{name}_FILE is {path!r}, which is empty; {MAKE}.")
    return read


def refuse_known(name: str, value: str) -> None:
    """Raise ImproperlyConfigured for a publicly known secret."""
    if value.lower() in KNOWN:
        raise ImproperlyConfigured(
            f"{name} is a publicly known value, but other machines can reach this platform; set a random value "
            "(run deploy/make-secrets)."
        )


def redis_url(env: Mapping[str, str]) -> str:
    """EYELEVEL_REDIS_URL with the password of EYELEVEL_REDIS_PASSWORD in it."""
    url = env.get("EYELEVEL_REDIS_URL") or default_of("EYELEVEL_REDIS_URL")
    password = secret(env, "EYELEVEL_REDIS_PASSWORD")
    parts = urlsplit(url)
    if not password or parts.scheme == "unix":
        return url
    if parts.password:
        raise ImproperlyConfigured(
            "EYELEVEL_REDIS_URL has a password, but EYELEVEL_REDIS_PASSWORD is set too; keep one of them."
        )
    user, _, host = parts.netloc.rpartition("@")
    return urlunsplit(parts._replace(netloc=f"{user}:{quote(password, safe='')}@{host}"))
