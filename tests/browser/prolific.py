"""A stand-in for Prolific on loopback: reserves a place, sends a participant, and receives them back by a code.

The study file must name Prolific's own https address. So the browser's requests to that address are answered by this
server, and everything else about the way there and back is the browser's own.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import BrowserContext, Route

ORIGIN = "https://app.prolific.com"
STUDY_ID = "65f0000000000000000000aa"


@dataclass
class Submission:
    """One participant's place in the study; `code` is what they came back with."""

    session_id: str
    code: str | None = None


@dataclass
class Prolific:
    """`link` is what the researcher entered as the study's URL; `returns` are the codes that free a place again."""

    link: str
    returns: frozenset[str]
    places: int
    # by the participant's id
    submissions: dict[str, Submission] = field(default_factory=dict)
    url: str = ""

    def answer(self, target: str) -> str:
        """A page: the study's, from which a participant starts, or the one that receives a code."""
        address = urlsplit(target)
        query = {name: values[0] for name, values in parse_qs(address.query).items()}
        if address.path == "/studies/start":
            return self._start(query["participant"])
        if address.path == "/submissions/complete":
            return self._complete(query["participant"], query["cc"])
        return "<h1>Prolific</h1>"

    def _start(self, participant: str) -> str:
        if self.places == 0:
            return "<h1>No places left</h1>"
        self.places -= 1
        submission = Submission(session_id=f"66a{len(self.submissions):021d}")
        self.submissions[participant] = submission
        link = self.link
        values = {"PROLIFIC_PID": participant, "STUDY_ID": STUDY_ID, "SESSION_ID": submission.session_id}
        for name, value in values.items():
            link = link.replace("{{%" + name + "%}}", value)
        return f'<h1>Place reserved</h1><a href="{link}" target="_blank" rel="noopener">Open study</a>'

    def _complete(self, participant: str, code: str) -> str:
        self.submissions[participant].code = code
        if code in self.returns:
            self.places += 1
            return "<h1>Place returned</h1>"
        return "<h1>Submission received</h1>"

    def sign_in(self, context: BrowserContext, participant: str) -> None:
        """Whoever uses this browser is that participant there, as by a cookie of Prolific's."""

        def forward(route: Route) -> None:
            mark = "&" if "?" in route.request.url else "?"
            target = route.request.url.removeprefix(ORIGIN)
            route.fulfill(response=route.fetch(url=f"{self.url}{target}{mark}participant={participant}"))

        context.route(f"{ORIGIN}/**", forward)


@contextmanager
def serving(prolific: Prolific) -> Iterator[Prolific]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = prolific.answer(self.path).encode()
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    prolific.url = f"http://127.0.0.1:{server.server_address[1]}"
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield prolific
    finally:
        server.shutdown()
        server.server_close()
