"""How clips are made: which runs they show, how long they stand still, and when they end."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from eyelevel_core.contracts import schema


@dataclass(frozen=True)
class Rules:
    """The part `clips` of a campaign file, with the contract's defaults."""

    quantiles: tuple[float, ...]
    still_ms: float
    after_ms: float
    cap_ms: float
    researcher: bool
    # one seed for all stacks of a run: then a run is shown with its run, not with its like
    paired: bool = False
    # whether there are pairs of one stack with itself
    identical: bool = False
    # how long control clips hold a load back; 0 for none
    control_delay_ms: float = 0

    @classmethod
    def of(cls, campaign: Mapping[str, Any]) -> "Rules":
        fields = schema("campaign.1")["properties"]["clips"]["properties"]
        given = campaign.get("clips", {})
        values = {name: given.get(name, field["default"]) for name, field in fields.items()}
        values["quantiles"] = tuple(sorted(values["quantiles"]))
        return cls(**values, paired=bool(campaign.get("paired", False)))

    @property
    def runs(self) -> int:
        """How many runs of a setting are shown, where there are as many: the medoid and the quantiles."""
        return 1 + len(self.quantiles)
