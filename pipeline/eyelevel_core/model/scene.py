"""Comparison of the content and settings of a scene's takes: an entry of fidelity.json, contract fidelity.1."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from eyelevel_core.model.record import Record


@dataclass(frozen=True)
class Answer(Record):
    """An answer that a recorded response matched: its URL, HTTP status, and bytes of the body as sent."""

    matched_url: str
    status: int | None
    body_bytes: int | None


@dataclass(frozen=True)
class ContentMismatch(Record):
    """Answers that most takes of the scene got and this take did not (`lacks`), and the reverse (`adds`)."""

    take: str
    lacks: tuple[Answer, ...]
    adds: tuple[Answer, ...]


@dataclass(frozen=True)
class LateContent(Record):
    """Answers that this take requested only after load, while another take of the scene requested them before."""

    take: str
    after_load: tuple[Answer, ...]


@dataclass(frozen=True)
class SettingsDifference(Record):
    """`take` differs from `than` in settings that their stacks' definitions do not explain: one sentence each."""

    take: str
    than: str
    how: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Scene(Record):
    """The comparison of a scene; takes are named by their paths in the batch folder.

    `not_comparable`: takes whose load event never fired. `network_failed`: by take, URLs of requests begun before load
    that the network failed; their content is not judged. `equivalent`, `inexact` and `missed` count answers before load
    by take.
    """

    site: str
    network: str
    cache: str
    takes: tuple[str, ...]
    not_comparable: tuple[str, ...] = ()
    differences: tuple[ContentMismatch, ...] = ()
    across_load: tuple[LateContent, ...] = ()
    network_failed: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    settings_differ: tuple[SettingsDifference, ...] = ()
    notes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    equivalent: Mapping[str, int] = field(default_factory=dict)
    inexact: Mapping[str, int] = field(default_factory=dict)
    missed: Mapping[str, int] = field(default_factory=dict)
