"""Websites on addresses of a network namespace: town.py FOLDER COMMAND..., in `unshare --net --mount`.

Gives the namespace its addresses and names, serves `https` on port 443 and `http` on port 80 of each address, runs the
command, and ends with its status. Pages, by host:

- garden.example asks img, api and ads.example for things whose URLs it draws by chance
- teashop.example is a plain page; nothing listens at closed.example
- slow.example hangs up once, then shows a picture from the machine that it is opened on
"""

import gzip
import json
import ssl
import subprocess
import sys
import threading
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

ADDRESSES = {
    "192.0.2.1": ("garden.example", "www.garden.example"),
    "192.0.2.2": ("img.example", "api.example"),
    "192.0.2.3": ("ads.example",),
    # the last one is asked by browsers for themselves; nothing of it may be recorded
    "192.0.2.4": ("teashop.example", "slow.example", "update.googleapis.com"),
    "192.0.2.9": ("closed.example",),
}
GARDEN = """<!doctype html><title>garden</title><h1>Garden</h1>
<style>body { background: #dfd } img { width: 60px; height: 40px }</style>
<script async src="/late.js"></script><script async src="/early.js"></script>
<script>
  const digits = () => String(Math.random()).slice(2);
  const picture = (rest) => document.write(`<img src="https://img.example/${rest}">`);
  picture(`${digits()}.png`);
  picture(`moss.png?cb=${digits()}`);
  picture(`${crypto.randomUUID()}.png?n=${crypto.getRandomValues(new Uint32Array(1))}`);
  const name = `cb_${Math.random().toString(36).slice(2)}`;
  window[name] = (answer) => {
    document.title = answer.name;
    fetch(`https://api.example/visit/${digits()}?minute=${new Date().toISOString().slice(0, 16)}`);
  };
  document.write(`<script src="https://api.example/jsonp?callback=${name}"><` + "/script>");
  document.write(`<iframe src="https://ads.example/frame?ord=${Date.now()}&slot=${digits()}"></iframe>`);
</script>"""
# two scripts that race, and draw in the order in which they come
RACER = "fetch(`https://api.example/%s/${Math.random()}/${crypto.randomUUID()}`);"
FRAME = """<!doctype html><script>
  new Image().src = `https://ads.example/pixel/${Math.random()}/${crypto.randomUUID()}`;
</script>"""
TEASHOP = """<!doctype html><title>teashop</title><link rel="stylesheet" href="/tea.css">
<h1>Teashop</h1><img src="https://img.example/tea.png" width="60">"""
STYLE = gzip.compress(b"h1 { color: #384 }" * 40, mtime=0)
SLOW = '<!doctype html><title>slow</title><img src="http://127.0.0.2/near.png" width="60">'
PICTURE = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000d49444154789c6360f8cff01f0005000180"
    "5a8ddd930000000049454e44ae426082"
)
HANG_UPS = 1
asked: Counter[str] = Counter()


def answer(host: str, target: str) -> tuple[str, bytes]:
    """Media type and body."""
    parts = urlsplit(target)
    if host in {"garden.example", "www.garden.example"}:
        pages = {"/": GARDEN, "/late.js": RACER % "late", "/early.js": RACER % "early"}
        return ("text/html" if parts.path == "/" else "text/javascript"), pages.get(parts.path, "").encode()
    if host == "slow.example":
        return "text/html", SLOW.encode()
    if host in {"img.example", "127.0.0.2"}:
        return "image/png", PICTURE
    if host == "api.example":
        given = parse_qs(parts.query).get("callback")
        body = json.dumps({"name": "garden, answered", "target": target})
        return ("text/javascript", f"{given[0]}({body})".encode()) if given else ("application/json", body.encode())
    if host == "ads.example":
        return ("text/html", FRAME.encode()) if parts.path == "/frame" else ("image/png", PICTURE)
    return ("text/css", STYLE) if parts.path == "/tea.css" else ("text/html", TEASHOP.encode())


class Site(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        host = (self.headers["Host"] or "").partition(":")[0]
        asked[host] += 1
        if host == "slow.example" and asked[host] <= HANG_UPS:
            self.close_connection = True
            return
        kind, body = ("text/plain", b"") if self.path == "/favicon.ico" else answer(host, self.path)
        self.send_response(200 if body else 404)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        if kind == "text/css":
            self.send_header("Content-Encoding", "gzip")
        self.send_header("Access-Control-Allow-Origin", "*")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_: object) -> None:
        """A client that goes away is none of the test's business."""


def certificate(folder: Path) -> ssl.SSLContext:
    key, chain = folder / "key.pem", folder / "chain.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
         "-subj", "/CN=town.example", "-keyout", key, "-out", chain],
        check=True, capture_output=True,
    )  # fmt: skip
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(chain, key)
    return context


def serve(address: str, port: int, context: ssl.SSLContext | None) -> None:
    server = Server((address, port), Site)
    if context is not None:
        server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    threading.Thread(target=server.serve_forever, daemon=True).start()


def main() -> int:
    folder = Path(sys.argv[1])
    hosts = folder / "hosts"
    lines = ["127.0.0.1 localhost", *(f"{address} {' '.join(names)}" for address, names in ADDRESSES.items())]
    hosts.write_text("\n".join(lines) + "\n")
    subprocess.run(["mount", "--bind", hosts, "/etc/hosts"], check=True)
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    # warcprox asks for the address by which it would reach this one, and writes nothing where there is none
    subprocess.run(["ip", "route", "add", "10.255.255.255/32", "dev", "lo"], check=True)
    context = certificate(folder)
    for address in ADDRESSES:
        subprocess.run(["ip", "address", "add", f"{address}/32", "dev", "lo"], check=True)
        if address != "192.0.2.9":
            serve(address, 443, context)
            serve(address, 80, None)
    serve("127.0.0.2", 80, None)
    return subprocess.run(sys.argv[2:], check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
