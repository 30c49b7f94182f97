"""Client of Prolific's API: lists the submissions of a study, approves them in bulk, and asks people to return theirs.

Source: the API reference at docs.prolific.com (submissions, webhooks). The token is the researcher's; it is sent only
to Prolific, and never stored or logged.
"""

import base64
import hashlib
import hmac
import re
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

import httpx
from django.conf import settings

from eyelevel_core.study.submissions import PROLIFIC
from lib.problems import Problem
from payment.books import Claim, Why
from payment.reasons import REASONS

TIMEOUT_S = 20
# the number that Prolific recommends per call
BULK = 1000
MAX_PAGES = 500
# a request that was signed longer ago is rejected as a replay
FRESH_S = 300.0
# a submission as Prolific sends it
Row = Mapping[str, object]
ID = re.compile(r"[0-9A-Za-z-]{1,64}")
# reasons that Prolific proposes for its message; for others, it inserts ours
RETURN_REASONS: Mapping[Why, str] = {
    Why.NOT_COMPLETED: "Didn't finish the study",
    Why.NOT_SHOWN: "Encountered technical problems",
}


class Prolific:
    """Client with one token; each call raises Problem 502 `recruiter` if it fails."""

    def __init__(self, token: str) -> None:
        self._token = token

    def submissions(self, study_id: str) -> tuple[list[Claim], set[str]]:
        """All submissions of a study, and the ids of those for which a return was already requested."""
        if not ID.fullmatch(study_id):
            message = f"study_id is {study_id!r}, which is not a Prolific ID; copy the study's ID from Prolific."
            raise Problem(422, "invalid", message)
        claims, asked = [], set()
        for row in self._rows(f"/api/v1/studies/{study_id}/submissions/"):
            claims.append(_claim(row))
            if row.get("return_requested"):
                asked.add(str(row["id"]))
        return claims, asked

    def approve(self, submissions: Sequence[str]) -> None:
        """Approve submissions, which Prolific pays some time later; repeating the call changes nothing."""
        for first in range(0, len(submissions), BULK):
            self._send(
                "POST", "/api/v1/submissions/bulk-approve/", {"submission_ids": submissions[first : first + BULK]}
            )

    def ask_to_return(self, submission: str, why: Why) -> None:
        """Ask a person to return a submission; Prolific sends them a message with the reason."""
        body = {"request_return_reasons": [RETURN_REASONS.get(why, REASONS[why].message)]}
        self._send("POST", f"/api/v1/submissions/{submission}/request-return/", body)

    def _rows(self, path: str) -> Iterator[Row]:
        for _ in range(MAX_PAGES):
            page = self._send("GET", path)
            try:
                yield from page["results"]
                following = (page.get("_links") or {}).get("next") or {}
                link = following.get("href") if isinstance(following, dict) else following
            except (KeyError, TypeError, AttributeError):
                raise _failed("its response is not a list of submissions") from None
            if not link:
                return
            # always on the same host, also if the link names another one
            parts = urlsplit(link)
            path = f"{parts.path}?{parts.query}" if parts.query else parts.path
        raise _failed(f"its list has more than {MAX_PAGES} pages")

    def _send(self, method: str, path: str, body: object = None) -> Any:
        # put together, not joined: a path must not lead to another host
        address = f"{settings.PROLIFIC_API}/{path.lstrip('/')}"
        headers = {"Authorization": f"Token {self._token}"}
        try:
            # a redirect is not followed, because the token would go along
            answer = httpx.request(method, address, json=body, headers=headers, timeout=TIMEOUT_S)
            if answer.is_success:
                return answer.json()
        except (httpx.HTTPError, ValueError):
            raise _failed("it did not answer; try again later") from None
        if answer.status_code in (401, 403):
            raise _failed("it rejected the token; create one in Prolific's settings")
        if answer.status_code == 404:
            raise _failed("it has no such study or submission")
        raise _failed(f"it responded with status {answer.status_code}")


def _claim(row: Row) -> Claim:
    try:
        status = PROLIFIC.statuses[str(row["status"]).lower().replace("_", " ")]
        bonus = bool(row.get("bonus_payments"))
        return Claim(str(row["participant_id"]), str(row["id"]), status, str(row.get("study_code") or ""), bonus)
    except KeyError as error:
        raise _failed(f"a submission has an unknown or missing field: {error}") from None


def _failed(why: str) -> Problem:
    return Problem(502, "recruiter", f"The request to Prolific failed: {why}.", retry=True)


def is_from_prolific(body: bytes, *, signature: str, timestamp: str, now: float | None = None) -> bool:
    """Check that a webhook was recently signed with our secret: base64(HMAC-SHA256(timestamp + body))."""
    secret = settings.PROLIFIC_WEBHOOK_SECRET
    if not secret or not timestamp.isascii() or not re.fullmatch(r"\d{1,12}(\.\d{1,9})?", timestamp):
        return False
    if abs((time.time() if now is None else now) - float(timestamp)) > FRESH_S:
        return False
    digest = hmac.new(secret.encode(), timestamp.encode() + body, hashlib.sha256).digest()
    return hmac.compare_digest(base64.b64encode(digest), signature.encode())
