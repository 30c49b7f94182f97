"""Keys of objects: relative paths that are valid in folders and in buckets."""

import re

# the safe characters of S3's documentation, without those that shells or file systems interpret
NAME = re.compile(r"[A-Za-z0-9_+~=,@-][A-Za-z0-9._+~=,@-]*")
LONGEST_BYTES = 900


def checked(key: str) -> str:
    """Returns the key. Raises ValueError if a folder or a bucket could not store it unchanged."""
    if len(key) > LONGEST_BYTES or not all(NAME.fullmatch(name) for name in key.split("/")):
        raise ValueError(f"{key!r} cannot be a key: each part may have letters, digits and ._+~=,@- after the first")
    return key
