"""Stamps in which a request differs from the recording alone."""

import pytest

from eyelevel.volatile.learning import Recorded, learn
from eyelevel.volatile.stamps import is_stamp
from eyelevel_core.contracts import check
from eyelevel_core.model.volatile import Volatile

SHEET = "https://a.example/tooltip.css"


@pytest.mark.parametrize(
    "value",
    ["1519128000", "1519128000123", "1519128000123456", "1519128000.5", "20180220", "2018022012", "201802201200",
     "20180220120000", "v20180220"],
)  # fmt: skip
def test_dates_and_times_are_stamps(value: str) -> None:
    assert is_stamp(value)


@pytest.mark.parametrize(
    "value",
    ["", "1", "42", "0.4711", "12345678", "20181320", "99991231", "0519128000", "9519128000", "151912800", "1.2.3",
     "tooltip", "v2", "x20180220", "deadbeef1", "2018-02-20"],
)  # fmt: skip
def test_ids_versions_and_random_numbers_are_no_stamps(value: str) -> None:
    assert not is_stamp(value)


def learned(asked: str, *recorded: str, bodies: tuple[bytes, ...] = ()) -> Volatile:
    """Where both loads ask for the same."""
    answers = [Recorded(f"{SHEET}{query}", body) for query, body in zip(recorded, bodies or [b""] * 9, strict=False)]
    return learn("ab" * 32, [f"{SHEET}{asked}"], [f"{SHEET}{asked}"], answers)


@pytest.mark.parametrize(
    ("asked", "recorded", "names"),
    [("?t=1519128000", "?t=1519120000", ["t"]), ("?m=a&t=1519128000", "?m=a&t=1519120000", ["t"]),
     ("?t=1519128000", "", ["t"]), ("", "?t=1519120000", ["t"]), (";t=1519128000", ";t=1519120000", [";t"]),
     ("?1519128000", "?1519120000", ["="]), ("?v20180220", "", ["v20180220"]),
     ("?a=20180220&b=1519128000", "?a=20180219&b=1519120000", ["a", "b"])],
)  # fmt: skip
def test_a_query_that_differs_from_the_recorded_one_in_a_stamp_is_volatile_there(
    asked: str, recorded: str, names: list[str]
) -> None:
    found = learned(asked, recorded)
    assert [(parameter.host, parameter.path, parameter.parameter) for parameter in found.parameters] == [
        ("a.example", "/tooltip.css", name) for name in names
    ]
    check(found.as_json(), "volatile.1", source="volatile.json")


def test_why_names_both_stamps() -> None:
    assert [parameter.why for parameter in learned("?t=1519128000", "").parameters] == [
        "a stamp in which the request differs from the recording (1519128000 and none); the recorded answers left "
        "without it are equal"
    ]


@pytest.mark.parametrize(
    ("asked", "recorded"),
    [("?t=7", "?t=8"), ("?t=1519128000", "?t=8"), ("?t=1519128000&m=a", "?t=1519120000&m=b"),
     ("?t=1519128000", "?t=1519128000"), ("?t=1519128000", "?u=x")],
)  # fmt: skip
def test_what_differs_in_anything_else_is_not(asked: str, recorded: str) -> None:
    assert learned(asked, recorded).parameters == ()


def test_a_date_that_selects_content_stays() -> None:
    found = learned("?day=20180222", "?day=20180220", "?day=20180221", bodies=(b"one", b"other"))
    assert found.parameters == ()


def test_a_stamp_that_one_load_alone_asked_for_is_found_and_a_version_that_differs_between_loads_is_not() -> None:
    answers = [Recorded(SHEET, b"")]
    assert [
        parameter.parameter for parameter in learn("ab" * 32, [f"{SHEET}?t=1519128000"], [], answers).parameters
    ] == ["t"]
    drawn = learn("ab" * 32, [f"{SHEET}?v20180220"], [f"{SHEET}?v20180221"], answers)
    assert drawn.parameters == ()
