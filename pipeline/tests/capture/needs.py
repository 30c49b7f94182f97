"""What a test of capturing for real cannot do without. Where everything is demanded, such a skip is an error."""

import pytest

from eyelevel.errors import ToolMissingError
from eyelevel.replay.binary import find_testbed


def has_testbed() -> bool:
    try:
        find_testbed()
    except ToolMissingError:
        return False
    return True


needs_testbed = pytest.mark.skipif(not has_testbed(), reason="the testbed is not built (make testbed)")
