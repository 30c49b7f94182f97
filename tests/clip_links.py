"""Which clip of a batch a participant's link shows; a session names its clips by digests of its own."""

import hmac
from collections.abc import Iterable, Mapping
from typing import Any


def sha256_of(link: Mapping[str, Any], known: Iterable[str]) -> str:
    """The one of these SHA-256 whose keyed digest is the link's: whoever has the bytes can tell, and nobody else."""
    key = link["url"].rpartition("/")[2].encode()
    (found,) = {sha256 for sha256 in known if hmac.digest(key, bytes.fromhex(sha256), "sha256").hex() == link["digest"]}
    return found
