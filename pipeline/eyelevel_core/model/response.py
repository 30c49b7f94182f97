"""A request of a page and its outcome, as the browser reported it: an entry of responses.json. Contract responses.1."""

from dataclasses import dataclass, field

from eyelevel_core.model.record import Record


@dataclass(frozen=True)
class Response(Record):
    """A request. Times are in ms since navigation start. `status` is None without an answer, `failure` an error.

    `before_load` is None where the load event never fired, `ended_ms` where the request did not end.
    """

    url: str
    method: str
    resource_type: str
    protocol: str | None
    status: int | None
    encoded_body_bytes: int | None
    begun_ms: float
    ended_ms: float | None = field(default=None, kw_only=True)
    before_load: bool | None
    from_cache: bool
    failure: str | None
