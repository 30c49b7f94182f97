"""Configuration of API bodies that are dataclasses."""

from pydantic import ConfigDict

# `__pydantic_config__` of a response whose dataclass has defaults: all fields are sent, and required in the contract
ALL_SENT = ConfigDict(json_schema_serialization_defaults_required=True)
