"""Signals that other modules may connect to."""

from django.dispatch import Signal

# sent to have a worker make an export, with job_id
export_wanted = Signal()
