"""Checks that a store supports conditional writes, which campaigns on many machines require."""

import uuid

from eyelevel_store.store import Store, StoreError


def demand_conditions(store: Store) -> None:
    """Raise StoreError if a second writer of a key would overwrite the first one."""
    key = f"probe-{uuid.uuid4().hex}"
    try:
        if store.put_new(key, b"first") and not store.put_new(key, b"second"):
            return
    finally:
        store.delete(key)
    raise StoreError(
        f"The store {store.address} ignores If-None-Match, so that two machines could count one run twice; use a store "
        "with conditional writes, such as Amazon S3, Ceph or versitygw, or a folder that all machines share."
    )
