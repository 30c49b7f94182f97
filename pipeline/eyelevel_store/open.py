"""Opens the store at an address."""

import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

from eyelevel_store.folder import FolderStore
from eyelevel_store.store import Store, StoreError

SCHEME = "s3"
# https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucketnamingrules.html
BUCKET = re.compile(r"[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]")


def open_store(address: str | Path, *, patience_s: float = 0, waits: Callable[[str], None] = lambda _: None) -> Store:
    """Returns the store at this address: s3://BUCKET/PREFIX, or a folder. Does not access it yet.

    Keys and endpoint come from the usual AWS variables. `patience_s`: how long to retry while the
    store does not answer; `waits` gets a sentence each time. Raise StoreError where the address is none.
    """
    text = str(address)
    if not is_bucket(text):
        return FolderStore(Path(text))
    bucket, prefix = bucket_and_key(text)
    # commands that use a folder do not load boto3
    from eyelevel_store.bucket import BucketStore  # noqa: PLC0415

    return BucketStore(bucket, prefix, patience_s=patience_s, waits=waits)


def is_bucket(address: str) -> bool:
    """Whether the address names a bucket, not a folder."""
    return "://" in address


def bucket_and_key(address: str) -> tuple[str, str]:
    """Returns the bucket and the prefix without outer slashes. Raises StoreError for an invalid bucket name."""
    parts = urlsplit(address)
    if parts.scheme != SCHEME or not BUCKET.fullmatch(parts.netloc) or parts.query or parts.fragment:
        raise StoreError(f"{address} is not the address of a store; give s3://BUCKET/PREFIX or a folder.")
    return parts.netloc, parts.path.strip("/")
