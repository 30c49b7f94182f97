"""Counts of sessions and votes are the same in every file and add up."""

import pytest

from analysis.models import ResultOrigin
from analysis.origins import of_origin
from testing.votes import Field

from .exported import analysed, counted_field, exported, parquet_rows, rows

pytestmark = [pytest.mark.services, pytest.mark.django_db]


def exported_of(field: Field, origin: str) -> dict[str, bytes]:
    result = of_origin(analysed(field), ResultOrigin(origin))
    assert result is not None
    return exported(result)


def test_readme_and_counts_say_the_same_of_every_session_and_vote() -> None:
    field = counted_field()
    for origin, simulated in (("person", 0), ("all", 1)):
        files = exported_of(field, origin)
        text = files["README.txt"].decode()
        counted = rows(files["counts.csv"])
        lines = {line[2:14].strip(): line[14:34].split() for line in text.splitlines()}
        for row in counted:
            assert lines[row["outcome"].replace("_", " ")] == [row["sessions"], row["votes"]]
        assert lines["in all"] == ["5", "5"]
        assert f"Simulated sessions in votes.csv and the tables: {simulated}." in text
        assert ("?origin=all" in text, "--origin all" in text) == (origin == "person", origin == "all")


def test_counts_funnel_and_rows_of_an_export_add_up() -> None:
    field = counted_field()
    expected = {
        "person": {"used": 1, "excluded": 1, "over_quota": 1, "waiting": 0, "incomplete": 1, "simulated": 1},
        "all": {"used": 2, "excluded": 1, "over_quota": 1, "waiting": 0, "incomplete": 1, "simulated": 0},
    }
    for origin, outcomes in expected.items():
        files = exported_of(field, origin)
        assert {row["outcome"]: int(row["sessions"]) for row in rows(files["counts.csv"])} == outcomes
        assert {row["outcome"]: int(row["votes"]) for row in rows(files["counts.csv"])} == outcomes
        assert len(rows(files["votes.csv"])) == outcomes["used"]
        assert sum(outcomes.values()) == len(parquet_rows(files, "votes"))
        funnel = {row["step"]: int(row["left"]) for row in rows(files["funnel.csv"])}
        assert funnel["started"] == sum(outcomes.values()) - outcomes["simulated"]
        assert funnel["completed"] == funnel["started"] - outcomes["incomplete"]
        assert (funnel["waiting"], funnel["beyond_quota"]) == (outcomes["waiting"], outcomes["over_quota"])
        assert funnel["used"] == outcomes["used"]
        assert {row["origin"] for row in rows(files["votes.csv"])} == (
            {"person"} | ({"simulated"} if origin == "all" else set())
        )


def test_the_funnel_is_made_of_the_snapshots_verdicts() -> None:
    field = Field()
    field.rate("QUIC", 6)
    field.exclude(field.rate("QUIC", 1).session, "R3")
    field.session(judged=False)
    files = exported(analysed(field))
    funnel = rows(files["funnel.csv"])
    assert {(row["step"], row["left"], row["broken"]) for row in funnel} == {
        *{("started", "3", ""), ("completed", "2", ""), ("waiting", "0", "")},
        *{("R1", "2", "0"), ("R2", "2", "0"), ("R3", "1", "0"), ("R4", "1", "0")},
        *{("R5", "1", "0"), ("R6", "1", "0"), ("R7", "1", "0")},
        *{("R8", "1", "0"), ("R9", "1", "0")},
        *{("used", "1", ""), ("accepted", "2", "")},
    }
    # the study has neither control videos nor control questions, and asks after the end of a play
    assert {
        row["step"]: (row["asked"], row["unknown"]) for row in funnel if row["step"] in ("R3", "R4", "R6", "R7")
    } == {
        "R3": ("yes", "0"),
        "R4": ("no", ""),
        "R6": ("no", ""),
        "R7": ("no", ""),
    }
    assert {row["R6_broken"] for row in rows(files["conformance.csv"])} == {"not asked", ""}
    assert {row["R3_broken"] for row in rows(files["conformance.csv"])} == {"no", ""}
    assert sorted((row["state"], row["used"]) for row in rows(files["conformance.csv"])) == [
        ("completed", "no"),
        ("completed", "yes"),
        ("started", ""),
    ]


def test_answers_about_the_person_are_counted_in_the_sessions_used() -> None:
    field = Field()
    field.rate("QUIC", 6, by=field.session(answers={"age": "old"}))
    field.rate("QUIC", 6, by=field.session(answers={"age": "old"}))
    field.rate("QUIC", 6)
    left_out = field.session(answers={"age": "young"})
    field.rate("QUIC", 1, by=left_out)
    field.exclude(left_out)
    found = rows(exported(analysed(field))["demographics.csv"])
    assert [(row["group"], row["question"], row["choice"], row["sessions"]) for row in found] == [
        ("volunteer", "age", "young", "0"),
        ("volunteer", "age", "old", "2"),
        ("volunteer", "age", "", "1"),
    ]
