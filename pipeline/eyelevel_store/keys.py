"""Keys of objects: relative paths that mean the same in a folder and in a bucket."""

import re

# what S3's documentation calls safe, without what a shell or a file system takes for something else
NAME = re.compile(r"[A-Za-z0-9_+~=,@-][A-Za-z0-9._+~=,@-]*")
LONGEST_BYTES = 900


def checked(key: str) -> str:
    """The key itself. Raise ValueError for one that a folder or a bucket would not keep as it is."""
    if len(key) > LONGEST_BYTES or not all(NAME.fullmatch(name) for name in key.split("/")):
        raise ValueError(f"{key!r} cannot be a key: each part may have letters, digits and ._+~=,@- after the first")
    return key
