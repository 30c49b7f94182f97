"""Read fidelity.json, which capture wrote."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from eyelevel.errors import BadInputError
from eyelevel.parity.model import Answer, Parity, ServedOtherwise, Unlike


def read_parity(path: Path) -> Parity | None:
    """None where the batch has none yet. Raise BadInputError where it is not what capture writes."""
    if not path.is_file():
        return None
    try:
        scenes = json.loads(path.read_text())
        return Parity(
            takes=frozenset(take for scene in scenes for take in scene["takes"]),
            served_otherwise={
                one["take"]: ServedOtherwise(_answers(one["lacks"]), _answers(one["adds"]))
                for scene in scenes
                for one in scene["differences"]
            },
            unlike=[
                Unlike(scene["site"], scene["network"], scene["cache"], one["take"], one["than"], one["how"])
                for scene in scenes
                for one in scene["settings_differ"]
            ],
            # batches of before do not have it
            network_failed=frozenset(take for scene in scenes for take in scene.get("network_failed", {})),
        )
    except (ValueError, KeyError, TypeError) as error:
        raise BadInputError(
            f"{path} is not what capture writes ({error}); start capture again, it makes it anew."
        ) from error


def _answers(listed: Iterable[dict[str, Any]]) -> list[Answer]:
    return [Answer(one["matched_url"], one["status"], one["body_bytes"]) for one in listed]
