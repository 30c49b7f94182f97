"""Signals that receivers may connect to."""

from django.dispatch import Signal

# sent after the transaction that stored a video of a batch
video_stored = Signal()

# sent with `sha256` when the commit of a batch was requested
commit_begun = Signal()
