"""Keys of a campaign's store.

campaign.json                    conditions that must be equal on all machines, from the first machine
sites/SITE.json                  the preparation of a site
machines/FINGERPRINT.json        a machine, and its newest calibration
results/SITE/NETWORK/RUN/NN.json the result of an attempt at a block: one per block and number, never replaced
apart/SITE/NETWORK/RUN/...       late results of attempts that another machine had already recorded; never counted
sentinels/FINGERPRINT-DAY.json   runs of the sentinel that a machine filmed on a day
files/SHA256                     files of takes and of preparations, and the campaign file, by digest
"""

CAMPAIGN = "campaign.json"
RESULTS, APART, SITES, MACHINES, SENTINELS = "results/", "apart/", "sites/", "machines/", "sentinels/"


def result(block: str, attempt: int) -> str:
    return f"{RESULTS}{block}/{attempt:02d}.json"


def apart(block: str, attempt: int, result_id: str) -> str:
    return f"{APART}{block}/{attempt:02d}-{result_id}.json"


def site(name: str) -> str:
    return f"{SITES}{name}.json"


def machine(fingerprint: str) -> str:
    return f"{MACHINES}{fingerprint}.json"


def sentinel(fingerprint: str, day: str) -> str:
    return f"{SENTINELS}{fingerprint}-{day}.json"


def file(sha256: str) -> str:
    return f"files/{sha256}"
