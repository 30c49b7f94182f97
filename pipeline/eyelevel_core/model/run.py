"""A run: one page load of a campaign, named by site, network, stack, cache and number."""

from dataclasses import dataclass, field

# names of the folders of runs, by cache mode (docs/guides/campaigns.md)
_PREFIXES = {"cold": "run", "http": "http", "altsvc": "altsvc", "tickets": "tickets", "all": "all"}
CACHES = tuple(_PREFIXES)
TAKES = "takes"


def run_folder(cache: str, number: int) -> str:
    """Returns the name of a run's folder: `run-01` for a first visit, else with the cache mode, such as `http-01`."""
    return f"{_PREFIXES[cache]}-{number:02d}"


@dataclass(frozen=True)
class RunName:
    """The name of a run: site, network, stack, number and cache mode. Files use its path inside the batch folder."""

    site: str
    network: str
    stack: str
    number: int
    cache: str = "cold"

    @classmethod
    def of_path(cls, path: str) -> "RunName":
        """Parses a path such as takes/SITE/NETWORK/STACK/run-01; ValueError if it is not one of a run."""
        top, site, network, stack, folder = path.split("/")
        prefix, _, number = folder.rpartition("-")
        caches = {known: cache for cache, known in _PREFIXES.items()}
        if top != TAKES or prefix not in caches:
            raise ValueError(f"{path!r} is not a run's path")
        return cls(site, network, stack, int(number), caches[prefix])

    @property
    def name(self) -> str:
        return run_folder(self.cache, self.number)

    @property
    def path(self) -> str:
        """The run's folder inside the batch folder."""
        return f"{TAKES}/{self.site}/{self.network}/{self.stack}/{self.name}"

    @property
    def block(self) -> str:
        """The name of the block, which the runs of all stacks with this number share."""
        return f"{self.site}/{self.network}/{self.name}"

    @property
    def words(self) -> str:
        return f"{self.site} · {self.network} · {self.stack} · {self.name.replace('-', ' ')}"


@dataclass(frozen=True)
class Run(RunName):
    """A planned run.

    `recording` is the SHA-256 of the site's recording. `seed` decides which packets are lost. `page_seed` is the same
    for all runs of a recording: it decides the random numbers that the page draws.
    """

    recording: str = field(kw_only=True)
    seed: int = field(kw_only=True)
    page_seed: int = field(kw_only=True)
