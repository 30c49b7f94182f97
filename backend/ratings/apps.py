"""App configuration; provides counts of sessions and votes to `studies`, and registers retention."""

from django.apps import AppConfig


class RatingsConfig(AppConfig):
    name = "ratings"

    def ready(self) -> None:
        from ratings import queries, retention  # noqa: PLC0415 - models are loaded only now
        from studies import counts, progress, stored_counts  # noqa: PLC0415

        retention.provide()
        counts.provide_counts(queries)
        stored_counts.provide(progress.SESSIONS, progress.count_sessions)
        stored_counts.provide(progress.VOTES, progress.count_votes)
        stored_counts.provide(progress.CELLS, progress.count_cells)
