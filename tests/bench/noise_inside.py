"""Inside the testbed's client namespace: downloads of the start page by curl on new connections, in ms, as JSON."""

import json
import os
import subprocess
import sys
from urllib.parse import urlsplit

TOLD = "%{http_version} %{response_code} %{time_total}"


def main() -> None:
    url = os.environ["EYELEVEL_START_URL"]
    host = urlsplit(url).hostname
    address = json.loads(os.environ["EYELEVEL_HOSTS"])[host]
    command = ["curl", "--http2", "--insecure", "--silent", "--output", os.devnull, "--write-out", TOLD]
    command += ["--resolve", f"{host}:443:{address}", url]
    found = []
    for _ in range(int(sys.argv[1])):
        version, status, seconds = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
        if (version, status) != ("2", "200"):
            raise SystemExit(f"curl got status {status} over HTTP/{version}.")
        found.append(1000 * float(seconds))
    print(json.dumps(found))


if __name__ == "__main__":
    main()
