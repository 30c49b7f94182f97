"""A fact of the product is declared once: what names a metric is its row, and the code that is about this very one."""

import subprocess

import pytest
from docs.markdown import REPOSITORY

from eyelevel_core.model.metrics import BROWSER_FIELDS

# `cls_sum`: its row, what computes it, and five files of the report on Saif 2020, which is about it
AT_MOST = 7
NOT_PRODUCT = (":!docs", ":!tests", ":!*/tests/*", ":!*.test.ts*", ":!*.md", ":!fixtures")


def naming(metric: str) -> list[str]:
    """The product files that name a metric."""
    found = subprocess.run(
        ["git", "grep", "--untracked", "-l", "-w", metric, "--", *NOT_PRODUCT],
        cwd=REPOSITORY, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return found.stdout.split()


# `cls` is also what Python calls a class
@pytest.mark.parametrize("field", sorted({*BROWSER_FIELDS} - {"cls"}))
def test_a_metric_is_named_by_its_row_and_by_what_computes_or_needs_it(field: str) -> None:
    """Lists of metrics derive from the list; a new metric is in two files (docs/developers/develop.md)."""
    assert 1 <= len(naming(field)) <= AT_MOST, naming(field)
