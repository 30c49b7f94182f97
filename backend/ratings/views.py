"""The clips of a running session, under names that say nothing."""

from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.views.decorators.http import require_safe

from accounts.models import digest_of
from ratings.cookie import COOKIE
from ratings.models import Trial
from stimuli.video import video_response


@require_safe
def clip(request: HttpRequest, token: str) -> HttpResponseBase:
    """The trial's clip, for the session that the trial belongs to and nobody else."""
    own = digest_of(request.COOKIES.get(COOKIE, ""))
    trials = Trial.objects.select_related("stimulus__clip")
    trial = trials.filter(clip_token=token, session__token_sha256=own).first()
    if trial is None:
        raise Http404
    shown = trial.stimulus.clip
    return video_response(request, sha256=shown.sha256, size_bytes=shown.bytes)
