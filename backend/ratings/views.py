"""GET /clips/{token}: the clip of a trial, under a random name."""

from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.views.decorators.http import require_safe

from ratings.cookies import cookie_of, owns
from ratings.models import Trial
from stimuli.byte_ranges import video_response


@require_safe
def clip(request: HttpRequest, token: str) -> HttpResponseBase:
    """The trial's clip, for the session that the trial belongs to and nobody else."""
    trials = Trial.objects.select_related("stimulus__clip", "session__fielding")
    trial = trials.filter(clip_token=token).first()
    if trial is None or not owns(request.COOKIES.get(cookie_of(trial.session), ""), trial.session):
        raise Http404
    shown = trial.stimulus.clip
    return video_response(request, sha256=shown.sha256, size_bytes=shown.bytes)
