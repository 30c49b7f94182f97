"""The platform's stores for files of batches, snapshots, exports and erasures."""

from functools import cache

from django.conf import settings

from eyelevel_store import Store, open_store


def blobs() -> Store:
    """Files of batches, by digest."""
    return _opened(settings.BLOB_STORE)


def snapshots() -> Store:
    """Files of snapshots, as DIGEST/NAME."""
    return _opened(f"{settings.STORE}/snapshots")


def exports() -> Store:
    """Files of exports, as DIGEST.zip."""
    return _opened(f"{settings.STORE}/exports")


def erasures() -> Store:
    """The ledger of erasures, which is stored outside the database."""
    return _opened(f"{settings.STORE}/erasures")


def close() -> None:
    """Close the opened stores, so that changed keys or endpoints take effect."""
    _opened.cache_clear()


@cache
def _opened(address: str) -> Store:
    return open_store(address)
