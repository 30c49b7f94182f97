"""Signals that other modules may connect to."""

from django.dispatch import Signal

# sent after the transaction that erased votes of a study, with study_sha256
votes_erased = Signal()

# sent to have a worker compute the tables in depth of a result, with result_id
in_depth_wanted = Signal()
