"""Bodies of the API that are dataclasses."""

from pydantic import ConfigDict

# `__pydantic_config__` of a response whose dataclass has defaults: each field is sent, and so required in the contract
ALL_SENT = ConfigDict(json_schema_serialization_defaults_required=True)
