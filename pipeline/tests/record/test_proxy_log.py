"""Why the proxy has no answer is read from its log, in lines as warcprox 2.6 writes them."""

import pytest

from eyelevel.record.proxy_log import Fault, faults, why

BEFORE = "2026-11-24 12:11:34,957 11343 ERROR MitmProxyHandler(tid=1) warcprox.do_COMMAND(mitmproxy.py:444) "
REFUSED = (
    BEFORE + "problem processing request 'GET / HTTP/1.1': NewConnectionError(\"HTTPSConnection(host='closed.example', "
    'port=443): Failed to establish a new connection: [Errno 111] Connection refused")'
)
LOCALHOST = (
    BEFORE + "error from remote server(?) 'GET http://127.0.0.1:81/a?b=1 HTTP/1.1': "
    "BadRequest('request rejected by warcprox: localhost access is not permitted')"
)
CLOSED = (
    BEFORE + "error from remote server(?) 'GET /x HTTP/1.1': "
    "RemoteDisconnected('Remote end closed connection without response')"
)
TLS = BEFORE + "problem processing request 'GET /t HTTP/1.1': SSLError(1, '[SSL: WRONG_VERSION_NUMBER] wrong version')"
UNSTORED = (
    "2026-11-24 12:11:35,897 11343 ERROR WarcWriterProcessor(tid=2) root._process_url(writerthread.py:73) "
    "caught exception processing b'https://garden.example/'\n"
    'Traceback (most recent call last):\n  File "x.py", line 1, in y\n    z()\n'
    "OSError: [Errno 28] No space left on device\n"
)


@pytest.mark.parametrize(
    ("line", "target", "words"),
    [
        (REFUSED, "/", "Failed to establish a new connection: [Errno 111] Connection refused"),
        (LOCALHOST, "http://127.0.0.1:81/a?b=1", "localhost access is not permitted"),
        (CLOSED, "/x", "Remote end closed connection without response"),
        (TLS, "/t", "[SSL: WRONG_VERSION_NUMBER] wrong version"),
        (UNSTORED, "https://garden.example/", "OSError: [Errno 28] No space left on device"),
    ],
)
def test_the_words_that_matter_are_kept(line: str, target: str, words: str) -> None:
    assert faults(f"before\n{line}\nTraceback (most recent call last):\n") == [Fault(target, words)]


def test_a_fault_belongs_to_a_url_or_to_its_path() -> None:
    log = "\n".join([LOCALHOST, REFUSED, CLOSED])
    assert why(log, "https://closed.example/") == "Failed to establish a new connection: [Errno 111] Connection refused"
    assert why(log, "https://closed.example") == "Failed to establish a new connection: [Errno 111] Connection refused"
    assert why(log, "http://127.0.0.1:81/a?b=1") == "localhost access is not permitted"
    assert why(log, "http://127.0.0.1:81/a") is None
    assert why("", "https://closed.example/") is None
