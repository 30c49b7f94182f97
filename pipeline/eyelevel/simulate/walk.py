"""One session of a simulated participant, from consent to completion code."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from random import Random

from eyelevel.errors import BadInputError, RefusedError
from eyelevel.simulate import model
from eyelevel.simulate.evidence import has_room
from eyelevel.simulate.platform import Platform
from eyelevel.simulate.session import Question, Session, StudyPage
from eyelevel.simulate.submissions import Submission
from eyelevel.simulate.trial import World, answer, kind_of

# one vote in twenty is sent twice, as by a browser whose receipt was lost
LOST_RECEIPT_SHARE = 0.05


@dataclass
class Counts:
    """Counts over all participants; `receipts` are the votes that the platform confirmed."""

    sessions: int = 0
    careless: int = 0
    completed: int = 0
    votes: int = 0
    receipts: int = 0
    repeats: int = 0
    plays: int = 0
    skipped: int = 0
    control_questions: int = 0


@dataclass(frozen=True)
class Crowd:
    """Settings for all participants: the share of careless ones, and the right choices of control questions.

    `guessed` is called with each control question whose right choice is neither given nor in its text, `advanced`
    before each trial with the trial's share of the session. With `submitted`, participants have made-up ids of the
    group's recruiter, and it is called with the submission of each at the end.
    """

    careless: float = 0.0
    right: Mapping[str, str] = field(default_factory=dict)
    guessed: Callable[[Question], None] = lambda _question: None
    advanced: Callable[[float], None] = lambda _share: None
    submitted: Callable[[Submission], None] | None = None


def walk(platform: Platform, slug: str, *, seed: str, world: World, counts: Counts, crowd: Crowd | None = None) -> str:
    """Takes part in the whole study, and returns the completion code; adds to `counts` meanwhile.

    `seed` determines the person and every answer. Raises RefusedError if the platform refuses a step, or violates its
    API.
    """
    crowd = crowd or Crowd()
    draw = Random(seed)  # noqa: S311 - a model's dice, no secret
    who = model.person(draw, careless=crowd.careless)
    try:
        study = StudyPage.of(platform.get(f"/api/participate/{slug}"))
        submission = None if crowd.submitted is None else _submission(study, slug, world)
        session = _enter(platform, slug, study, who, draw, arrival={} if submission is None else submission.arrival())
        counts.sessions += 1
        counts.careless += bool(who.faults)
        for question in session.controls:
            if question.key not in crowd.right and model.named_choice(question, session.language) is None:
                crowd.guessed(question)
        mine: dict[str, object] = {"session_id": session.id}
        world.wait(model.READING_S)
        platform.put("/api/session/person", mine | {"answers": model.answers(study.questions, draw)})
        skipped = _trials(platform, session, who=who, draw=draw, world=world, counts=counts, crowd=crowd)
        done = platform.post("/api/session/finish", mine | {"skipped": skipped})
    finally:
        counts.repeats += platform.repeats
    code = done["completion_code"]
    if not code:
        raise RefusedError("POST /api/session/finish returned no completion code.")
    counts.completed += 1
    if crowd.submitted is not None and submission is not None:
        crowd.submitted(submission.submitted(str(done["back"]["code"] or "")))
    return str(code)


def _submission(study: StudyPage, slug: str, world: World) -> Submission:
    if study.recruiter is None:
        raise BadInputError(
            f"--submissions needs a link of a group with a recruiter, but {slug} has none; give another group's link."
        )
    return Submission.made_up(study.recruiter, world.new_id())


def _enter(
    platform: Platform,
    slug: str,
    study: StudyPage,
    who: model.Person,
    draw: Random,
    *,
    arrival: Mapping[str, object],
) -> Session:
    if study.state != "open":
        raise RefusedError(f"The study {slug} is {study.state}; nobody can take part.")
    width_px, height_px = who.screen_px
    begun = platform.begin(
        slug,
        {
            "language": draw.choice(study.languages),
            "consent_version": study.consent.version,
            "screen": {
                "width_px": width_px,
                "height_px": height_px,
                "device_pixel_ratio": who.device_pixel_ratio,
            },
            "origin": "simulated",
            **arrival,
        },
    )
    return Session.of(begun)


def _trials(
    platform: Platform,
    session: Session,
    *,
    who: model.Person,
    draw: Random,
    world: World,
    counts: Counts,
    crowd: Crowd,
) -> list[int]:
    """Answers all trials, and the control questions between them; returns the positions of skipped trials."""
    mine: dict[str, object] = {"session_id": session.id}
    # if the study requires room for the clips, all participants have it
    may_skip = session.study.narrow_window == "skip"
    skipped = [
        trial.position for trial in session.trials if may_skip and kind_of(trial).skippable and not has_room(trial, who)
    ]
    shown = [trial for trial in session.trials if trial.position not in skipped]
    # R3 ignores training
    judged = [trial for trial in shown if not trial.training]
    leaves_at = draw.choice(judged).position if judged and "leaves" in who.faults else None
    waiting = list(session.controls)
    for trial in session.trials:
        asked = [question for question in waiting if question.after < trial.position]
        _controls(platform, asked, session, who=who, draw=draw, world=world, counts=counts, crowd=crowd)
        waiting = [question for question in waiting if question not in asked]
        crowd.advanced(1 / len(session.trials))
        if trial.position in skipped:
            continue
        kind_of(trial)
        clip = trial.clip
        data = platform.clip(clip.url, size_bytes=clip.bytes, digest=clip.digest)
        answered = answer(trial, data, who=who, leaves=trial.position == leaves_at, draw=draw, world=world)
        *before, last = answered.plays
        for play in before:
            platform.put(f"/api/session/plays/{world.new_id()}", mine | play)
        # as in the page, the last play is sent with the vote
        play = {"id": str(world.new_id())} | {name: value for name, value in last.items() if name != "position"}
        _vote(platform, mine | answered.vote | {"play": play}, world=world, draw=draw, counts=counts)
        counts.plays += len(answered.plays)
    _controls(platform, waiting, session, who=who, draw=draw, world=world, counts=counts, crowd=crowd)
    counts.skipped += len(skipped)
    return skipped


def _vote(platform: Platform, vote: Mapping[str, object], *, world: World, draw: Random, counts: Counts) -> None:
    path = f"/api/session/votes/{world.new_id()}"
    counts.votes += 1
    receipt = platform.put(path, vote)
    if receipt["id"] != path.rpartition("/")[2]:
        raise RefusedError(f"PUT {path} returned the receipt of another vote: {receipt['id']}.")
    counts.receipts += 1
    if draw.random() < LOST_RECEIPT_SHARE:
        platform.put_again(path, vote, receipt)


def _controls(
    platform: Platform,
    questions: Iterable[Question],
    session: Session,
    *,
    who: model.Person,
    draw: Random,
    world: World,
    counts: Counts,
    crowd: Crowd,
) -> None:
    for question in questions:
        right = crowd.right.get(question.key)
        if right is not None and right not in [choice.key for choice in question.choices]:
            raise BadInputError(f"--right says {question.key}={right}, but the question has no such choice.")
        world.wait(model.QUESTION_S)
        choice = model.control_choice(question, who, draw, language=session.language, right=right)
        body = {"session_id": session.id, "choice": choice}
        platform.put(f"/api/session/controls/{question.key}", body)
        counts.control_questions += 1
