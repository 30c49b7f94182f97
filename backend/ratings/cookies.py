"""Participants' cookies: one for each link by which a browser has started a session.

Sessions of different studies have different cookies; of several sessions by one link, the newest has the cookie.
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
# separate, so that a user who previews a study can also take part in it
PREVIEW_PREFIX = f"{settings.COOKIE_PREFIX}eyelevel_preview_"
# long enough to resume after a lost connection, and to read the completion code again
MAX_AGE_S = 7 * 24 * 3600
# a complete session needs the cookie only to show the code again, or to withdraw without typing it
MAX_AGE_COMPLETED_S = 24 * 3600


def cookie_name(slug: str, *, preview: bool = False) -> str:
    return (PREVIEW_PREFIX if preview else PREFIX) + slug


def cookie_of(session: Session) -> str:
    """The name of the cookie with this session's token."""
    return cookie_name(session.fielding.slug, preview=session.is_preview)


def new_token(slug: str, begin_id: uuid.UUID | None) -> str:
    """The token of a new session: random, or, with `begin_id`, the same for every request of one click."""
    if begin_id is None:
        return secrets.token_urlsafe(32)
    return salted_hmac("ratings.cookies.begin", f"{slug} {begin_id}", algorithm="sha256").hexdigest()


def begun_with(slug: str, token: str) -> Session | None:
    """The session that an earlier request of the same click has started, if any."""
    return _of_tokens([token]).filter(fielding__slug=slug).first()


def set_cookie(response: HttpResponse, session: Session, token: str) -> None:
    _set(response, session, token, max_age_s=lifetime_s(session.fielding.study))


def lifetime_s(study: Study) -> int:
    """Lifetime of the cookie of an incomplete session: at least the time within which the study permits resuming."""
    return max(MAX_AGE_S, 60 * study.design.session.resume_within_minutes)


def shorten_cookie(request: HttpRequest, response: HttpResponse, session: Session) -> None:
    """Shorten the lifetime of the cookie of a completed session."""
    _set(response, session, request.COOKIES[cookie_of(session)], max_age_s=MAX_AGE_COMPLETED_S)


def drop_dead_cookies(request: HttpRequest, response: HttpResponse) -> None:
    """Delete cookies of sessions that no longer exist, as after an erasure."""
    for name in request.COOKIES:
        if name.startswith(PREFIX) and session_here(request, name.removeprefix(PREFIX)) is None:
            response.delete_cookie(name, samesite="Strict")


def session_here(request: HttpRequest, slug: str, *, preview: bool = False) -> Session | None:
    """The session, or preview, that this browser has started by the link `slug`, if any."""
    token = request.COOKIES.get(cookie_name(slug, preview=preview))
    return _of_tokens([token]).filter(fielding__slug=slug).first() if token else None


def participant_session(request: HttpRequest, slug: str | None = None, *, preview: bool = False) -> Session:
    """The session or preview that this browser has started by the link `slug`, or without it, its newest session.

    Raises Problem 401 `no_session`.
    """
    session = _sessions_here(request).first() if slug is None else session_here(request, slug, preview=preview)
    if session is None:
        raise _none_here()
    return session


def _named(session_id: uuid.UUID) -> QuerySet[Session]:
    return Session.objects.filter(pk=session_id)


NAMED = Compiled(
    _named,
    parts=(
        Part(Session, but=("preview",)),
        Part(Fielding, "fielding"),
        # the frozen text may be long, and votes and plays do not need it; other code reads it on access
        Part(Study, "fielding__study", but=("frozen_text",)),
    ),
    session_id=uuid.UUID(int=1),
)


def named_session(request: HttpRequest, session_id: uuid.UUID) -> Session:
    """The session with this id, which must be the one of this browser's cookie for its link.

    Another tab may have started another session by the same link meanwhile. Raises Problem 401 `no_session` or 409
    `other_session`.
    """
    row = NAMED.first(session_id=session_id)
    if row is None:
        raise _none_here()
    named: Session = row[0][0]
    _, named.fielding, named.fielding.study = row[0]
    token = request.COOKIES.get(cookie_of(named))
    if not token:
        raise _none_here()
    problems_shown.belongs_to(request, named.fielding, named)
    if owns(token, named):
        return named
    if session_here(request, named.fielding.slug, preview=named.is_preview) is None:
        raise _none_here()
    raise Problem(
        409, "other_session", "This browser has started another session since, so this one accepts no more answers."
    )


def owns(token: str, session: Session) -> bool:
    """Whether the token is that of the browser that started the session, or of the one in which it was resumed."""
    digests = (session.token_sha256, session.other_token_sha256)
    return any(digest is not None and secrets.compare_digest(digest_of(token), digest) for digest in digests)


def is_owner(request: HttpRequest, session: Session) -> bool:
    """Whether the session was started in this browser, and not only resumed here by the recruiter's id."""
    token = request.COOKIES.get(cookie_of(session), "")
    return session.token_sha256 is not None and secrets.compare_digest(digest_of(token), session.token_sha256)


def newest_of_study(request: HttpRequest, study_sha256: str) -> Session | None:
    """The newest session of this study in this browser, by any of the study's links, if any."""
    return _sessions_here(request).filter(fielding__study=study_sha256).first()


def is_here(request: HttpRequest, session: Session) -> bool:
    """Whether this browser has the session's cookie, and therefore knows the session's id."""
    return owns(request.COOKIES.get(cookie_of(session), ""), session)


def newest_begun_here(request: HttpRequest) -> Session:
    """The newest session that was started in this browser, by any link; raises Problem 401 `no_session`."""
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
    """The sessions of this browser's cookies, newest first."""
    tokens = [token for name, token in request.COOKIES.items() if name.startswith(PREFIX)]
    return _of_tokens(tokens).order_by("-started_at")


def _of_tokens(tokens: Sequence[str]) -> QuerySet[Session]:
    digests = [digest_of(token) for token in tokens]
    sessions = Session.objects.select_related("fielding__study").defer("fielding__study__frozen_text")
    return sessions.filter(Q(token_sha256__in=digests) | Q(other_token_sha256__in=digests))


def _none_here() -> Problem:
    return Problem(401, "no_session", "This browser has no session of the study; open the study's link again.")
