"""Append-only audit log of actions on studies and accounts; `audit.log.record` adds the events."""
