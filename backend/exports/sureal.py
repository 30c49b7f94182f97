"""The file sureal.json: the main ratings as a dataset for SUREAL, which fits subject models (ITU-T P.910, P.913).

Source of the format: the datasets in test/resource of https://github.com/Netflix/sureal; `os` (opinion scores) is a
dictionary by subject, with a list where a subject rated a clip more than once.
"""

from collections.abc import Mapping, Sequence
from typing import Any

SUREAL_JSON = "sureal.json"
OF_RATINGS = ("trial_kind", "role", "site", "clip_sha256", "session_id", "score")


def sureal_dataset(votes: Mapping[str, Sequence[Any]], *, name: str) -> dict[str, object]:
    """The dataset of the main `rate` votes: content is the site, asset the clip, subject the session.

    There is no undistorted reference, so `ref_videos` represents each site by its first clip, which SUREAL's models of
    raw scores do not read.
    """
    rated = [
        (site, clip, session, score)
        for kind, role, site, clip, session, score in zip(*(votes[field] for field in OF_RATINGS), strict=True)
        if (kind, role) == ("rate", "main")
    ]
    sites = sorted({site for site, *_ in rated})
    scores: dict[tuple[str, str], dict[str, list[int]]] = {}
    for site, clip, session, score in rated:
        scores.setdefault((site, clip), {}).setdefault(session, []).append(score)
    clips = sorted(scores)
    return {
        "dataset_name": name,
        "ref_videos": [
            {"content_id": number, "content_name": site, "path": next(clip for of, clip in clips if of == site)}
            for number, site in enumerate(sites)
        ],
        "dis_videos": [
            {
                "content_id": sites.index(site),
                "asset_id": number,
                "path": clip,
                "os": {
                    session: given[0] if len(given) == 1 else given
                    for session, given in sorted(scores[site, clip].items())
                },
            }
            for number, (site, clip) in enumerate(clips)
        ],
    }
