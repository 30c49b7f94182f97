"""Audit log: who did what to which study or account. Rows are only added, by `audit.log.record`."""
