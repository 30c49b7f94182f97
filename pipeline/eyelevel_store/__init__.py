"""Object stores: files under keys, in a folder or in a bucket of an S3-compatible store, with one set of rules.

An object is there whole or not at all, and `put_new` writes only where no object is. Pipeline and platform share it.
"""

from eyelevel_store.conditions import demand_conditions
from eyelevel_store.open import is_bucket, open_store
from eyelevel_store.store import Store, Stored, StoreError

__all__ = ["Store", "StoreError", "Stored", "demand_conditions", "is_bucket", "open_store"]
