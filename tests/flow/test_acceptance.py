"""A planted effect, a planted null and careless people come out as planted; bench/acceptance.py has 200 people."""

from pathlib import Path

import pytest
from planted.cases import known_effect
from planted.figures import figures, run
from platform_process import Platform

pytestmark = [pytest.mark.services]

# by simulation of 8,000 such studies with 60 careful people, none misses an expected verdict; with 30, 3 % do
PARTICIPANTS = 80
WITHIN_S = 120.0


def test_a_planted_study_is_answered_as_it_was_planted(platform: Platform, tmp_path: Path) -> None:
    case = known_effect(sites=6, whole=False)
    ran = run(platform, case, tmp_path, participants=PARTICIPANTS, within_s=WITHIN_S)
    found = list(figures(ran))
    assert [figure for figure in found if not figure.holds] == []
    assert len(found) > 8
