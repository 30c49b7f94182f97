"""What the guides tell researchers to write into a study file, a link or a page: tests use it as it stands there."""

from typing import Any

import yaml
from docs import markdown
from docs.markdown import REPOSITORY, fenced


def guide(name: str) -> str:
    return (REPOSITORY / "docs" / "guides" / f"{name}.md").read_text(encoding="utf-8")


def section(name: str, heading: str) -> str:
    return markdown.section(guide(name), heading)


def group_in(text: str) -> dict[str, Any]:
    """The group in the only study file of a section."""
    (block,) = fenced(text, "yaml")
    (group,) = yaml.safe_load(block)["groups"]
    return dict(group)
