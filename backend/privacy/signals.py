"""Signals that receivers may connect to."""

from django.dispatch import Signal

# sent after the transaction of a request that erased a participant, or deleted recruiter ids
values_erased = Signal()
