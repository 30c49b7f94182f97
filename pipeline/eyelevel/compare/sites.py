"""Size and number of servers per site, as in figure 1 of 2019."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median

from eyelevel.compare.columns import SITE
from eyelevel.compare.model import Load
from eyelevel_core.comparability.settings import SERVERS_BY
from eyelevel_core.tables import Table, column


@dataclass(frozen=True)
class SiteRow:
    """Medians over the takes of a site. `servers_by` is None if no take has it."""

    site: str = column(SITE)
    recording: str = column("SHA-256 of the site's recording", shown="hidden")
    takes: int = column("number of takes used for this row")
    body_bytes: float | None = column(
        "size of the bodies sent by all servers in bytes, median", head="bodies, bytes", shown="count"
    )
    link_down_bytes: float | None = column(
        "IP bytes sent over the link to the browser, median", head="on the link, bytes", shown="count"
    )
    servers: int | None = column("number of server addresses that sent a response, maximum over the takes")
    servers_by: str | None = column(
        "rule for sharing server addresses among hosts: as recorded, or one address per host", head="addresses"
    )
    requests: float | None = column("number of requests that reached a server, median", shown="count")


SITES = Table("sites", "Size and servers per site", "", SiteRow)


def site_rows(loads: Iterable[Load]) -> list[SiteRow]:
    """Returns a row per site, sorted by name."""
    sites: dict[str, list[Load]] = {}
    for load in loads:
        sites.setdefault(load.site, []).append(load)
    return [_row(site, of_site) for site, of_site in sorted(sites.items())]


def _row(site: str, loads: Sequence[Load]) -> SiteRow:
    return SiteRow(
        site,
        loads[0].recording,
        len(loads),
        body_bytes=_median(load.traffic.body_bytes for load in loads),
        link_down_bytes=_median(load.traffic.link_down_bytes for load in loads),
        servers=max((load.traffic.servers for load in loads if load.traffic.servers is not None), default=None),
        servers_by=_named({load.servers_by for load in loads if load.servers_by is not None}),
        requests=_median(load.traffic.requests for load in loads),
    )


def _named(rules: set[str]) -> str | None:
    """The rules in words; several if takes differ, which their scene's settings then also show."""
    return "; ".join(sorted(SERVERS_BY.get(name, name) for name in rules)) or None


def _median(values: Iterable[int | None]) -> float | None:
    known = [value for value in values if value is not None]
    if not known:
        return None
    middle = median(known)
    return int(middle) if middle == int(middle) else middle
