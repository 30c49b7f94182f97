"""The tables of three fixed inputs, to six significant digits: an export, a long table of scores, and one of pairs."""

import csv
import io
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from .command import Run
from .exports import compare, frozen, rate, text_of

# write the files of the folder `golden` again in place of comparing with them
UPDATE = os.environ.get("EYELEVEL_UPDATE_GOLDEN") == "yes"
GOLDEN = Path(__file__).with_name("golden")
# a zero by another order of sums, as another processor makes it
ROUNDING = 1e-14
SITES = tuple("stuvwxyz")
STACKS = ("QUIC", "TCP+")
PEOPLE = 6
PLAN = """
plan:
  hypotheses:
    - key: H1
      says: QUIC is rated higher than TCP+.
      kind: rate
      pair: [TCP+, QUIC]
      networks: pooled
      expects: higher
"""


def score(who: int, site: int, *, better: bool) -> int:
    return max(1, min(7, 2 + site // 2 + better + (who * 7 + site * 3 + better) % 3 - who % 2))


def si(site: int, *, better: bool) -> float:
    return 3000.0 - 200 * site - 90 * better + 150 * (site == 2 and better)


def plt(site: int, *, better: bool) -> float:
    return 9000.0 - 700 * site + 100 * better * (site + 1)


def votes_of_an_export() -> list[dict[str, object]]:
    votes: list[dict[str, object]] = []
    for who in range(PEOPLE):
        for place, site in enumerate(SITES):
            for stack in STACKS:
                better = stack == "QUIC"
                values = values_of(place, better=better)
                clip = f"{place}{int(better)}"
                votes.append(
                    rate(
                        len(votes), participant=who, stack=stack, score=score(who, place, better=better), site=site,
                        clip_sha256=clip.ljust(64, "a"), position=len(votes) % 40 + 1,
                        layout="row" if who else "column", **values,
                    )
                )  # fmt: skip
        for place, site in enumerate(SITES[:4]):
            sides = {f"left_{name}": value for name, value in values_of(place, better=False).items()}
            sides |= {f"right_{name}": value for name, value in values_of(place, better=True).items()}
            choice = ("right", "right", "left", "none")[(who + place) % 4]
            vote = compare(len(votes), participant=who, choice=choice)
            votes.append({**vote, "site": site, "clip_sha256": f"c{place}".ljust(64, "a"), **sides})
        same = compare(len(votes), participant=who, choice=("none", "left", "none")[who % 3])
        votes.append({**same, "left_stack": "QUIC", "role": "identical", "clip_sha256": "d" * 64})
    again = rate(len(votes), participant=3, stack="QUIC", score=3, role="repeat", position=99, repeats_position=24)
    slider = rate(len(votes) + 1, participant=4, stack="QUIC", score=0, trial_kind="slider")
    return [*votes, again, {**slider, "score": None, "value": 62.5}]


def values_of(place: int, *, better: bool) -> dict[str, float]:
    return {"si_ms": si(place, better=better), "plt_ms": plt(place, better=better)}


def export(folder: Path) -> tuple[str | Path, ...]:
    (folder / "votes.csv").write_text(text_of(votes_of_an_export()), newline="")
    (folder / "study.json").write_bytes(frozen(PLAN))
    return (folder / "votes.csv",)


def metrics(folder: Path) -> Path:
    path = folder / "m.csv"
    rows = [
        f"{site}-{int(better)},{si(place, better=better):g},{100 - plt(place, better=better) / 100:g}"
        for place, site in enumerate(SITES)
        for better in (True, False)
    ]
    path.write_text("\n".join(["stimulus,si,vmaf", *rows]))
    return path


def scores(folder: Path) -> tuple[str | Path, ...]:
    """Participant 0 rates one stimulus twice; conditions are those of stimuli, but for one stimulus."""
    rows = [
        f"p{who},{site}-{int(better)},{site},{'QUIC' if better else 'TCP'},{score(who, place, better=better)}"
        for who in range(8)
        for place, site in enumerate(SITES)
        for better in (True, False)
    ]
    (folder / "v.csv").write_text("\n".join(["who,clip,page,net,points", *rows, "p0,s-1,s,TCP,1"]))
    (folder / "new.csv").write_text("name,si\nfast,1500\nfar,900000\n")
    columns = "participant=who,stimulus=clip,score=points,site=page,condition=net"
    asked: tuple[str | Path, ...] = ("--votes", folder / "v.csv", "--columns", columns, "--scale", "1:7")
    asked += ("--metrics", metrics(folder), "--higher-is-better", "vmaf", "--predict", folder / "new.csv")
    (folder / "m.csv").write_text((folder / "m.csv").read_text().replace("stimulus", "clip"))
    return asked


def pairs(folder: Path) -> tuple[str | Path, ...]:
    rows = []
    for who in range(PEOPLE):
        for place in range(6):
            left, right = f"{SITES[place]}-0", f"{SITES[(place + 1 + who) % 6]}-1"
            rows.append(f"p{who},{left},{right},{('right', 'right', 'left', 'none')[(who * 3 + place) % 4]}")
        rows.append(f"p{who},s-1,s-1,{('none', 'left', 'none')[who % 3]}")
    (folder / "v.csv").write_text("\n".join(["who,a,b,said", *rows]))
    asked = ("--votes", folder / "v.csv", "--columns", "participant=who,left=a,right=b,choice=said")
    return (*asked, "--metrics", metrics(folder), "--higher-is-better", "vmaf")


WAYS: dict[str, Callable[[Path], tuple[str | Path, ...]]] = {"export": export, "scores": scores, "pairs": pairs}


@pytest.mark.parametrize("way", WAYS)
def test_tables_stay_as_they_are(run: Run, tmp_path: Path, out: Path, way: str) -> None:
    done = run(*WAYS[way](tmp_path))
    assert done.code == 0
    found = {str(path.relative_to(out)): rounded(path) for path in sorted(out.rglob("*.csv"))}
    golden = GOLDEN / way
    if UPDATE:
        for name, text in found.items():
            (golden / name).parent.mkdir(parents=True, exist_ok=True)
            (golden / name).write_text(text, newline="")
    expected = {str(path.relative_to(golden)): path.read_text() for path in sorted(golden.rglob("*.csv"))}
    assert list(found) == list(expected)
    for name, text in expected.items():
        assert found[name] == text, name


def rounded(path: Path) -> str:
    """The table with six significant digits in each number with a decimal point, and 0 for less than ROUNDING."""
    text = io.StringIO()
    with path.open(newline="") as file:
        csv.writer(text, lineterminator="\n").writerows(map(six_digits, row) for row in csv.reader(file))
    return text.getvalue()


def six_digits(cell: str) -> str:
    try:
        number = float(cell) if "." in cell or "e" in cell else None
    except ValueError:
        return cell
    if number is None:
        return cell
    return "0" if abs(number) < ROUNDING else f"{number:.6g}"
