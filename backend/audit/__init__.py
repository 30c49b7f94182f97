"""Who did what to which study or account: a log that is only ever added to. Write it by `audit.log.record`."""
