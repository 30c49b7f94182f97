"""Recruiters of participants, with the code and the way back for each end of a study."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, get_args
from urllib.parse import quote

End = Literal[
    "completed",
    "failed_checks",
    "no_consent",
    "incompatible_device",
    "full",
    "closed",
    "took_part",
    "missing_id",
]
ENDS: tuple[End, ...] = get_args(End)
# ends whose codes only participants who answered everything may read
EARNED: tuple[End, ...] = ("completed", "failed_checks")
UNEARNED = tuple(end for end in ENDS if end not in EARNED)
# in `codes` and `returns`: every unearned end without an entry of its own
OTHER = "other"

CODE = "{code}"
ID = "{id}"
PLACEHOLDER = re.compile(r"\{([A-Za-z][A-Za-z0-9_.-]{0,63})\}")


@dataclass(frozen=True)
class WayBack:
    """The way back of a participant: the code to hand in, and a URL with placeholders `{id}` and `{PARAMETER}`.

    A null code or URL means that the study file has none for this end.
    """

    code: str | None
    url: str | None


@dataclass(frozen=True)
class Recruiter:
    """The recruiter of a group's participants. `codes` and `returns` are by end or `other`."""

    name: str
    id_parameter: str
    return_url: str | None = None
    codes: Mapping[str, str] = field(default_factory=dict)
    returns: Mapping[str, str] = field(default_factory=dict)

    @property
    def separates_failed_checks(self) -> bool:
        """Whether participants who are not accepted have a separate way back."""
        return "failed_checks" in self.codes or "failed_checks" in self.returns

    def way_back(self, end: End, *, own_code: str | None = None) -> WayBack:
        """Returns the way back of one end. `own_code` is the participant's completion code, for lack of one in `codes`.

        Without an entry for `failed_checks`, the way back of `completed` is used.
        """
        if end == "failed_checks" and not self.separates_failed_checks:
            end = "completed"
        code = self._entry(self.codes, end)
        if code is None and end == "completed":
            code = own_code
        url = self._entry(self.returns, end)
        if url is None and self.return_url is not None and (end == "completed" or CODE in self.return_url):
            url = self.return_url
        if url is not None and CODE in url:
            url = None if code is None else url.replace(CODE, quote(code, safe=""))
        return WayBack(code, url)

    def filled(self, url: str, *, participant_id: str, parameters: Mapping[str, str]) -> str:
        """Fills in the recruiter's id and the link's parameters, percent-encoded; empty if the link lacks one."""
        values = {**parameters, self.id_parameter: participant_id, "id": participant_id}
        return PLACEHOLDER.sub(lambda match: quote(values.get(match[1], ""), safe=""), url)

    def _entry(self, entries: Mapping[str, str], end: End) -> str | None:
        return entries.get(end, None if end in EARNED else entries.get(OTHER))
