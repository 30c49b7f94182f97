"""Signals that other apps may connect to."""

from django.dispatch import Signal

# sent after the transaction that stored a vote, with study_sha256
vote_stored = Signal()

# sent after the transaction that completed a session, with session_id
session_completed = Signal()

# sent after the transaction that gave a finished session an assignment, so that its votes are used, with study_sha256
assignment_given = Signal()
