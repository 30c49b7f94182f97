"""Store of a session's answers in the database; `ratings.previews` has that of previews, and `store_of` chooses."""

import uuid
from collections.abc import Mapping, Sequence

from ratings import completion, control_questions, play_failures, plays, sessions, votes
from ratings.models import PersonAnswers, Play, PlayFault, Session, Vote


class Store:
    """Stores a participant's answers in a session, and lists the stored ones; raises as the called functions do."""

    def __init__(self, session: Session) -> None:
        self.session = session

    def take_vote(self, vote_id: uuid.UUID, answer: votes.Answer, play: plays.Playback | None = None) -> Vote:
        return votes.take_vote(self.session, vote_id, answer, play)

    def take_play(self, position: int, playback: plays.Playback) -> Play:
        return plays.take_play(self.session, position, playback)

    def count_play_failure(self, position: int, fault: PlayFault, *, user_agent: str) -> None:
        play_failures.count(self.session, position, fault, user_agent=user_agent)

    def answer_person(self, answers: Mapping[str, str]) -> None:
        sessions.answer_person(self.session, answers)

    def answer_control(self, key: str, choice: str) -> None:
        control_questions.answer_control(self.session, key, choice)

    def finish(self, *, skipped: Sequence[int], by_owner: bool) -> str:
        """Complete the session, and return the completion code."""
        return completion.finish(self.session, skipped=skipped, by_owner=by_owner)

    def answered(self) -> list[int]:
        """Positions of the trials that have an answer, in order."""
        votes_here = Vote.objects.filter(session=self.session)
        return list(votes_here.order_by("position").values_list("position", flat=True))

    def person_answered(self) -> bool:
        return PersonAnswers.objects.filter(session=self.session).exists()

    def controls_answered(self) -> list[str]:
        """Keys of the control questions that have an answer."""
        return control_questions.answered(self.session)
