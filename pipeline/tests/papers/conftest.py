"""Made batches and their comparison, as the tests of compare have them."""

from tests.compare.conftest import compared

__all__ = ["compared"]
