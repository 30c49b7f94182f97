"""Reads tables as the API sends them."""

from typing import Any


def rows_in(body: dict[str, Any], name: str) -> list[dict[str, Any]]:
    """The rows of a table by the names of its columns; none if it was not sent."""
    sent = next((table for table in body["tables"] if table["name"] == name), None)
    return [] if sent is None else rows_of(sent)


def rows_of(sent: dict[str, Any]) -> list[dict[str, Any]]:
    names = [column["name"] for column in sent["columns"]]
    return [dict(zip(names, row, strict=True)) for row in sent["rows"]]
