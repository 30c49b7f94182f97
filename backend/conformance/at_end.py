"""First verdict on a session, given while its participant waits to return to the recruiter."""

from uuid import UUID

from conformance.models import Verdict


def accepted(session_id: UUID) -> bool:
    """Whether the first verdict accepts the session, which is judged if necessary; later evidence changes nothing."""
    first = Verdict.objects.filter(session=session_id).order_by("id").values_list("accepted", flat=True)
    verdict = first.first()
    if verdict is None:
        # the other pages of the platform need no statistics
        from conformance.verdicts import judge_session  # noqa: PLC0415

        judge_session(session_id)
        verdict = first.first()
    return verdict is not False
