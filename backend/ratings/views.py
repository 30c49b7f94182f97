"""Endpoint GET /clips/{token}: the clip of a trial, under a random name."""

from http import HTTPStatus

from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils import timezone
from django.views.decorators.http import require_safe

from eyelevel_store import StoreError
from lib.compiled import Compiled, Part
from ratings.clip_digests import clip_digest
from ratings.cookies import cookie_of, owns
from ratings.models import Session, Trial
from stimuli.byte_ranges import video_response
from stimuli.models import Clip
from studies.models import Fielding, Stimulus

# statuses of responses with bytes of the clip; behind a proxy that sends files, the proxy serves byte ranges
SENT = (HTTPStatus.OK, HTTPStatus.PARTIAL_CONTENT)


def _named(named: str) -> QuerySet[Trial]:
    return Trial.objects.filter(clip_token=named)


SHOWN = Compiled(
    _named,
    parts=(
        Part(Trial),
        Part(Stimulus, "stimulus"),
        Part(Clip, "stimulus__clip", only=("sha256", "bytes")),
        Part(Session, "session", only=("fielding_id", "origin", "token_sha256", "other_token_sha256")),
        Part(Fielding, "session__fielding"),
    ),
    named="?",
)


@require_safe
def clip(request: HttpRequest, token: str) -> HttpResponseBase:
    """The trial's clip, only for the session to which the trial belongs."""
    row = SHOWN.first(named=token)
    if row is None:
        raise Http404
    trial, stimulus, shown, session, fielding = row[0]
    session.fielding = fielding
    trial.session, trial.stimulus, stimulus.clip = session, stimulus, shown
    if not owns(request.COOKIES.get(cookie_of(session), ""), session):
        raise Http404
    try:
        response = video_response(request, sha256=shown.sha256, size_bytes=shown.bytes, etag=clip_digest(trial))
    except StoreError:
        # the player retries
        return HttpResponse(status=HTTPStatus.SERVICE_UNAVAILABLE, headers={"Retry-After": "5"})
    if request.method == "GET" and response.status_code in SENT:
        _mark_sent(trial)
    return response


def _mark_sent(trial: Trial) -> None:
    """Store the time at which the clip's first byte is sent; reloads and further parts change nothing.

    A clip that is fetched after the answer changes nothing either, because files may contain the vote by then.
    """
    if trial.clip_sent_at is None:
        unanswered = Trial.objects.filter(pk=trial.pk, clip_sent_at=None, vote=None)
        unanswered.update(clip_sent_at=timezone.now())
