"""App configuration; provides the counts that `studies` shows."""

from django.apps import AppConfig


class RatingsConfig(AppConfig):
    name = "ratings"

    def ready(self) -> None:
        from ratings import queries  # noqa: PLC0415 - models are loaded only now
        from studies import progress, stored_counts  # noqa: PLC0415

        progress.provide_counts(queries)
        stored_counts.provide(progress.VOTES, progress.count_votes)
        stored_counts.provide(progress.CELLS, progress.count_cells)
