"""Participants' cookies: one for each link by which this browser has started a session.

Sessions of different studies have different cookies; within one link the newest session has the cookie.
"""

import secrets
import uuid
from collections.abc import Sequence

from django.conf import settings
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import salted_hmac

from accounts.models import digest_of
from lib.compiled import Compiled, Part
from lib.problems import Problem
from ratings import problems_shown
from ratings.models import Session
from studies.models import Fielding, Study

PREFIX = f"{settings.COOKIE_PREFIX}eyelevel_session_"
# apart, so that whoever previews a study may take part in it
PREVIEW_PREFIX = f"{settings.COOKIE_PREFIX}eyelevel_preview_"
# long enough to come back after a broken connection, and to read the completion code again
MAX_AGE_S = 7 * 24 * 3600
# a complete session needs it only to see the code again, or to withdraw without typing it
MAX_AGE_COMPLETED_S = 24 * 3600


def cookie_name(slug: str, *, preview: bool = False) -> str:
    return (PREVIEW_PREFIX if preview else PREFIX) + slug


def cookie_of(session: Session) -> str:
    """The name of the cookie that holds this session's token."""
    return cookie_name(session.fielding.slug, preview=session.is_preview)


def new_token(slug: str, begin_id: uuid.UUID | None) -> str:
    """The token of a session that begins: random, or the same for every request of one click."""
    if begin_id is None:
        return secrets.token_urlsafe(32)
    return salted_hmac("ratings.cookies.begin", f"{slug} {begin_id}", algorithm="sha256").hexdigest()


def begun_with(slug: str, token: str) -> Session | None:
    """The session that an earlier request of the same click began."""
    return _of_tokens([token]).filter(fielding__slug=slug).first()


def set_cookie(response: HttpResponse, session: Session, token: str) -> None:
    _set(response, session, token, max_age_s=lifetime_s(session.fielding.study))


def lifetime_s(study: Study) -> int:
    """How long the cookie of a session that is not complete lives: at least as long as the study takes people back."""
    return max(MAX_AGE_S, 60 * study.design.session.resume_within_minutes)


def shorten_cookie(request: HttpRequest, response: HttpResponse, session: Session) -> None:
    """The session is complete: the browser forgets it sooner."""
    _set(response, session, request.COOKIES[cookie_of(session)], max_age_s=MAX_AGE_COMPLETED_S)


def drop_dead_cookies(request: HttpRequest, response: HttpResponse) -> None:
    """Take away those of sessions that are no more, as after an erasure."""
    for name in request.COOKIES:
        if name.startswith(PREFIX) and session_here(request, name.removeprefix(PREFIX)) is None:
            response.delete_cookie(name, samesite="Strict")


def session_here(request: HttpRequest, slug: str, *, preview: bool = False) -> Session | None:
    """The session, or preview, that this browser has begun by the link `slug`, if any."""
    token = request.COOKIES.get(cookie_name(slug, preview=preview))
    return _of_tokens([token]).filter(fielding__slug=slug).first() if token else None


def participant_session(request: HttpRequest, slug: str | None = None, *, preview: bool = False) -> Session:
    """The session that this browser has begun by the link `slug`, or by any link its newest; or a link's preview.

    Raises Problem 401 `no_session`.
    """
    found = _sessions_here(request).first() if slug is None else session_here(request, slug, preview=preview)
    if found is None:
        raise _none_here()
    return found


def _named(session_id: uuid.UUID) -> QuerySet[Session]:
    return Session.objects.filter(pk=session_id)


NAMED = Compiled(
    _named,
    parts=(
        Part(Session, but=("preview",)),
        Part(Fielding, "fielding"),
        # a vote or a play asks nothing of the frozen text, which may be long; who needs it reads it then
        Part(Study, "fielding__study", but=("frozen_text",)),
    ),
    session_id=uuid.UUID(int=1),
)


def named_session(request: HttpRequest, session_id: uuid.UUID) -> Session:
    """The session that the page means, which must be the one of this browser's cookie for its link.

    Another tab may have begun another session by the same link meanwhile. Raises Problem 401 `no_session` or 409
    `other_session`.
    """
    found = NAMED.first(session_id=session_id)
    if found is None:
        raise _none_here()
    named: Session = found[0][0]
    _, named.fielding, named.fielding.study = found[0]
    token = request.COOKIES.get(cookie_of(named))
    if not token:
        raise _none_here()
    problems_shown.belongs_to(request, named.fielding, named)
    if owns(token, named):
        return named
    if session_here(request, named.fielding.slug, preview=named.is_preview) is None:
        raise _none_here()
    raise Problem(
        409, "other_session", "This browser has started another session since; this one accepts no more answers."
    )


def owns(token: str, session: Session) -> bool:
    """Whether the token lets one answer in the session: of the browser in which it was begun, or of the other one."""
    kept = (session.token_sha256, session.other_token_sha256)
    return any(digest is not None and secrets.compare_digest(digest_of(token), digest) for digest in kept)


def is_owner(request: HttpRequest, session: Session) -> bool:
    """Whether the session was begun in this browser, and did not only go on here by the recruiter's id."""
    token = request.COOKIES.get(cookie_of(session), "")
    return session.token_sha256 is not None and secrets.compare_digest(digest_of(token), session.token_sha256)


def newest_of_study(request: HttpRequest, study_sha256: str) -> Session | None:
    """The newest session of this study in this browser, by any of the study's links, if any."""
    return _sessions_here(request).filter(fielding__study=study_sha256).first()


def is_here(request: HttpRequest, session: Session) -> bool:
    """Whether this browser has the session's cookie, and so knows the session's id anyway."""
    return owns(request.COOKIES.get(cookie_of(session), ""), session)


def newest_begun_here(request: HttpRequest) -> Session:
    """The newest session that was begun in this browser, by any link; raises Problem 401 `no_session`."""
    begun = [session for session in _sessions_here(request) if is_owner(request, session)]
    if not begun:
        raise _none_here()
    return begun[0]


def _set(response: HttpResponse, session: Session, token: str, *, max_age_s: int) -> None:
    response.set_cookie(
        cookie_of(session),
        token,
        max_age=max_age_s,
        httponly=True,
        samesite="Strict",
        secure=settings.SECURE_COOKIES,
    )


def _sessions_here(request: HttpRequest) -> QuerySet[Session]:
    """Newest first."""
    tokens = [token for name, token in request.COOKIES.items() if name.startswith(PREFIX)]
    return _of_tokens(tokens).order_by("-started_at")


def _of_tokens(tokens: Sequence[str]) -> QuerySet[Session]:
    digests = [digest_of(token) for token in tokens]
    found = Session.objects.select_related("fielding__study").defer("fielding__study__frozen_text")
    return found.filter(Q(token_sha256__in=digests) | Q(other_token_sha256__in=digests))


def _none_here() -> Problem:
    return Problem(401, "no_session", "There is no session here; open the study's link again.")
