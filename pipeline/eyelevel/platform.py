"""HTTP client of a platform: one request at a time, with retries and readable errors."""

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

import httpx

from eyelevel.errors import BadInputError, EyelevelError, RefusedError, UnreachableError

# pauses before the second, third, ... try
BACK_OFF_S = (0.5, 1.0, 2.0, 4.0, 8.0)
TIMEOUT_S = 60.0
LOOPBACK = {"localhost", "127.0.0.1", "::1"}

# in OpenSSL's message about a certificate
UNTRUSTED = "CERTIFICATE_VERIFY_FAILED"

# returns a new body for every try
Body = Callable[[], Iterator[bytes]]


class PlatformError(RefusedError):
    """An error of the platform (docs/contracts/api.md)."""

    def __init__(self, message: str, *, status: int, code: str | None, details: Mapping[str, object]) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.details = details


@dataclass
class Platform:
    """A platform at an address, with a token; `sleep` is for tests.

    Calls raise PlatformError if the platform rejects them, and UnreachableError if it does not respond or the address
    is not a platform's.
    """

    url: str
    token: str
    sleep: Callable[[float], None] = time.sleep
    say: Callable[[str], None] = lambda _sentence: None
    _client: httpx.Client = field(init=False)

    def __post_init__(self) -> None:
        parts = urlsplit(self.url)
        if parts.scheme not in {"http", "https"} or not parts.hostname or parts.query or parts.fragment:
            raise BadInputError(f"{self.url!r} is not the address of a platform; give one like https://study.example.")
        self._client = httpx.Client(
            base_url=self.url.rstrip("/") + "/api/",
            headers={"Authorization": f"Bearer {self.token}", "Accept": "application/json"},
            timeout=TIMEOUT_S,
            verify=httpx.create_ssl_context(),  # with the authorities of SSL_CERT_FILE
            trust_env=parts.hostname not in LOOPBACK,  # a proxy cannot reach this machine's own addresses
        )

    def __enter__(self) -> "Platform":
        return self

    def __exit__(self, *_: object) -> None:
        self._client.close()

    def call(self, method: str, path: str, *, content_type: str, size_bytes: int, body: Body) -> dict[str, object]:
        """Sends a body of `size_bytes`; returns the JSON object of the response, or {} if it is empty."""
        headers = {"Content-Type": content_type, "Content-Length": str(size_bytes)}
        failure: EyelevelError | None = None
        for pause_s in (None, *BACK_OFF_S):
            if pause_s is not None:
                self.say(f"{failure} Trying again in {pause_s:g} s.")
                self.sleep(pause_s)
            try:
                response = self._client.request(method, path, content=body(), headers=headers)
            except httpx.TransportError as error:
                if UNTRUSTED in str(error):
                    raise UnreachableError(
                        f"{self.url} has a certificate that is not trusted; set SSL_CERT_FILE to the file with the "
                        "certificate of its authority."
                    ) from None
                failure = UnreachableError(f"{self.url} does not respond ({_reason(error)}).")
                continue
            if response.is_success:
                return self._object(response)
            failure, again = self._failure(response)
            if not again:
                raise failure
        assert failure is not None  # noqa: S101 - at least one try was made
        raise failure

    def _object(self, response: httpx.Response) -> dict[str, object]:
        if not response.content:
            return {}
        try:
            value = response.json()
        except ValueError:
            value = None
        if not isinstance(value, dict):
            raise UnreachableError(f"{self.url} responds, but not like a platform: {_what(response)}.")
        return value

    def _failure(self, response: httpx.Response) -> tuple[EyelevelError, bool]:
        """The error, and whether another try can help."""
        try:
            error = response.json()["error"]
            refusal = PlatformError(
                str(error["message"]),
                status=response.status_code,
                code=str(error["code"]),
                details=error.get("details") or {},
            )
            return refusal, bool(error.get("retry"))
        except (ValueError, KeyError, TypeError):
            other = UnreachableError(f"{self.url} responds, but not like a platform: {_what(response)}.")
            return other, response.status_code >= 500


def _what(response: httpx.Response) -> str:
    kind = response.headers.get("Content-Type", "no content type").partition(";")[0]
    moved = f" to {response.headers['Location']}" if response.is_redirect and "Location" in response.headers else ""
    return f"{response.request.method} {response.request.url.path} gives status {response.status_code}{moved}, {kind}"


def _reason(error: httpx.TransportError) -> str:
    return str(error).rstrip(".") or type(error).__name__
