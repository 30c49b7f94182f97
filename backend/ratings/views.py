"""GET /clips/{token}: the clip of a trial, under a random name."""

from http import HTTPStatus

from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.utils import timezone
from django.views.decorators.http import require_safe

from ratings.clip_digests import clip_digest
from ratings.cookies import cookie_of, owns
from ratings.models import Trial
from stimuli.byte_ranges import video_response

# answers that send bytes of the clip; behind a proxy that sends it, the proxy answers such parts
SENT = (HTTPStatus.OK, HTTPStatus.PARTIAL_CONTENT)


@require_safe
def clip(request: HttpRequest, token: str) -> HttpResponseBase:
    """The trial's clip, for the session that the trial belongs to and nobody else."""
    trials = Trial.objects.select_related("stimulus__clip", "session__fielding")
    trial = trials.filter(clip_token=token).first()
    if trial is None or not owns(request.COOKIES.get(cookie_of(trial.session), ""), trial.session):
        raise Http404
    shown = trial.stimulus.clip
    response = video_response(request, sha256=shown.sha256, size_bytes=shown.bytes, etag=clip_digest(trial))
    if request.method == "GET" and response.status_code in SENT:
        _mark_sent(trial)
    return response


def _mark_sent(trial: Trial) -> None:
    """Store when the clip's first byte goes out; reloads and further parts change nothing."""
    if trial.clip_sent_at is None:
        Trial.objects.filter(pk=trial.pk, clip_sent_at=None).update(clip_sent_at=timezone.now())
