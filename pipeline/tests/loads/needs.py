"""What a test of capturing for real cannot do without. Where everything is demanded, such a skip is an error."""

import pytest

from eyelevel.built import find_testbed
from eyelevel.errors import ToolMissingError


def has_testbed() -> bool:
    try:
        find_testbed()
    except ToolMissingError:
        return False
    return True


needs_testbed = pytest.mark.skipif(not has_testbed(), reason="the testbed is not built (make testbed)")
