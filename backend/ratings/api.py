"""Endpoints of the participants' API: invitation, session, plays, votes and completion."""

import uuid

from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse
from ninja import Router, Status

from accounts.permissions import account, any_account, studies_token
from lib.problems import Problem
from ratings import plays, previews, problems_shown, rate_limit, recruitment, resume, sessions, votes
from ratings.cookies import (
    begun_with,
    is_owner,
    named_session,
    new_token,
    newest_of_study,
    participant_session,
    session_here,
    set_cookie,
    shorten_cookie,
)
from ratings.models import Origin, Participant, Session, SessionState
from ratings.presentation import invitation, session_view
from ratings.previews import store_of
from ratings.resume import Comeback
from ratings.schemas import (
    Completion,
    ControlIn,
    FinishIn,
    Invitation,
    PersonIn,
    PlayFailureIn,
    PlayIn,
    PlayReceipt,
    SessionIn,
    SessionView,
    VoteIn,
    VoteReceipt,
)
from ratings.tombstones import living
from ratings.way_back import way_back
from studies.models import Fielding
from studies.permissions import fielding_for

router = Router(tags=["participant"])


@router.get("/participate/{slug}", response=Invitation)
def participate(request: HttpRequest, slug: str) -> Invitation:
    return invitation(sessions.fielding_of(slug))


def _demand_simulator(request: HttpRequest, slug: str) -> None:
    """Raise Problem unless the caller has a token of a user who may edit the study; for simulated sessions."""
    fielding_for(studies_token(request), slug, "edit")


@router.post("/participate/{slug}/sessions", response={200: SessionView, 201: SessionView})
def start(request: HttpRequest, response: HttpResponse, slug: str, body: SessionIn) -> Status[SessionView]:
    if body.origin == "simulated":
        _demand_simulator(request, slug)
    with rate_limit.in_turn():
        return _start_once(request, response, slug, body)


def _start_once(request: HttpRequest, response: HttpResponse, slug: str, body: SessionIn) -> Status[SessionView]:
    try:
        return _start(request, response, slug, body)
    # IntegrityError: another request of the same click has just stored the same token
    except (sessions.BegunMeanwhileError, IntegrityError):
        return _start(request, response, slug, body)


def _start(request: HttpRequest, response: HttpResponse, slug: str, body: SessionIn) -> Status[SessionView]:
    recruiter_id = body.recruit.id if body.recruit is not None else None
    fielding = sessions.fielding_of(slug)
    if body.origin == "person":
        problems_shown.belongs_to(request, fielding)
    token = new_token(slug, body.begin_id)
    if body.begin_id is not None and (same_click := begun_with(slug, token)) is not None:
        set_cookie(response, same_click, token)
        return Status(200, session_view(same_click))
    with transaction.atomic():
        here = session_here(request, slug)
        who = _who(request, fielding, here, body)
        # they started in this browser, and did not only resume here by the recruiter's id
        is_theirs = here is not None and who is not None and here.participant_id == who.pk and is_owner(request, here)
        begun = resume.newest_held(who) if who is not None else None
        back = resume.comeback(begun) if begun is not None else None
        if begun is not None:
            is_here = here is not None and here.pk == begun.pk
            # the recruiter's id alone gives no access to a completed session
            if begun.fielding.slug != slug or (begun.state == SessionState.COMPLETED and not is_here):
                raise recruitment.already_took_part()
            if back == Comeback.RESUME:
                if not is_here:
                    resume.hand_over(begun, token, to_owner=is_theirs)
                    set_cookie(response, begun, token)
                return Status(200, session_view(begun))
        if back == Comeback.BLOCK:
            raise Problem(
                409, "already_begun", "This browser has already started the study, which is possible only once."
            )
        if begun is not None:
            resume.close(begun)
        session, _ = sessions.start(
            fielding,
            token=token,
            language=body.language,
            consent_version=body.consent_version,
            screen=sessions.Screen(**body.screen.dict()),
            arrival=sessions.Arrival(
                recruiter_id=recruiter_id,
                origin=Origin(body.origin),
                participant=begun.participant if begun is not None else None,
                by_owner=begun is None or is_theirs,
                parameters=body.arrival,
            ),
        )
    set_cookie(response, session, token)
    return Status(201, session_view(session, is_new=True))


def _who(request: HttpRequest, fielding: Fielding, here: Session | None, body: SessionIn) -> Participant | None:
    """The arriving participant, if known by cookie in this browser, or by the recruiter's id in any browser.

    A study may have several links. Without a recruiter, a session from another link of the study in this browser
    belongs to the same person, unless the request sets `another_person`.
    """
    recruited = fielding.recruiter is not None
    if body.another_person and recruited:
        message = (
            "another_person is only for links without a recruiter; omit it, because the recruiter's id identifies "
            "participants."
        )
        raise Problem(422, "invalid", message, details={"field": "another_person"})
    if body.recruit is not None:
        return recruitment.participant_of(fielding, body.recruit.id)
    if body.another_person:
        return None
    begun = here if here is not None or recruited else newest_of_study(request, fielding.study_id)
    return begun.participant if begun is not None else None


@router.post("/research/fieldings/{slug}/preview", response={201: SessionView}, auth=any_account)
def post_preview(request: HttpRequest, response: HttpResponse, slug: str, body: SessionIn) -> Status[SessionView]:
    """Start a preview, in any state of the fielding."""
    begun, token = previews.start(
        fielding_for(account(request), slug, "read"),
        language=body.language,
        consent_version=body.consent_version,
        screen=sessions.Screen(**body.screen.dict()),
    )
    set_cookie(response, begun, token)
    return Status(201, session_view(begun))


@router.get("/session", response={200: SessionView, 204: None})
def session(
    request: HttpRequest, slug: str | None = None, session_id: uuid.UUID | None = None, *, preview: bool = False
) -> SessionView | Status[None]:
    """The session or preview started by the link `slug`; 204 if there is none. A running page passes `session_id`."""
    if session_id is not None:
        return session_view(named_session(request, session_id))
    if slug is not None and session_here(request, slug, preview=preview) is None:
        # not an error, but the usual case of a participant who opens a link
        return Status(204, None)
    current = participant_session(request, slug, preview=preview)
    # a preview always resumes, regardless of the study's policy for returning participants
    return session_view(current, Comeback.RESUME if preview else resume.comeback(current))


@router.put("/session/person", response={204: None})
def put_person(request: HttpRequest, body: PersonIn) -> Status[None]:
    store_of(named_session(request, body.session_id)).answer_person(body.answers)
    return Status(204, None)


@router.put("/session/plays/{play_id}", response=PlayReceipt)
def put_play(request: HttpRequest, play_id: uuid.UUID, body: PlayIn) -> PlayReceipt:
    playback = plays.Playback(id=play_id, **body.dict(exclude={"session_id", "position"}))
    play = store_of(named_session(request, body.session_id)).take_play(body.position, playback)
    return PlayReceipt(id=play.id, received_at=living(play.received_at))


@router.put("/session/votes/{vote_id}", response=VoteReceipt)
def put_vote(request: HttpRequest, vote_id: uuid.UUID, body: VoteIn) -> VoteReceipt:
    """Store a vote, and the play that came with it; the receipt confirms both."""
    answer = votes.Answer(**body.dict(exclude={"session_id", "play"}))
    play = None if body.play is None else plays.Playback(**body.play.dict())
    vote = store_of(named_session(request, body.session_id)).take_vote(vote_id, answer, play)
    return VoteReceipt(id=vote.id, position=vote.position, received_at=living(vote.received_at))


@router.put("/session/controls/{key}", response={204: None})
def put_control(request: HttpRequest, key: str, body: ControlIn) -> Status[None]:
    store_of(named_session(request, body.session_id)).answer_control(key, body.choice)
    return Status(204, None)


@router.post("/session/play-failures", response={204: None})
def post_play_failure(request: HttpRequest, body: PlayFailureIn) -> Status[None]:
    """Count that a clip did not play, by clip, fault and kind of browser, but without the session.

    The session records that the trial may be skipped.
    """
    user_agent = request.headers.get("User-Agent", "")
    store_of(named_session(request, body.session_id)).count_play_failure(
        body.position, body.fault, user_agent=user_agent
    )
    return Status(204, None)


@router.post("/session/finish", response=Completion)
def finish(request: HttpRequest, response: HttpResponse, body: FinishIn) -> Completion:
    session = named_session(request, body.session_id)
    store = store_of(session)
    code = store.finish(skipped=body.skipped, by_owner=is_owner(request, session))
    shorten_cookie(request, response, session)
    debriefing = session.fielding.study.design.debriefing
    return Completion(
        completion_code=code,
        debriefing=None if debriefing is None else dict(debriefing),
        back=way_back(session, code, answered=store.answered()),
    )
