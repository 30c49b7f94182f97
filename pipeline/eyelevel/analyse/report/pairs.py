"""The page about a long table of pairs."""

from collections.abc import Mapping, Sequence
from xml.etree.ElementTree import Element

from eyelevel.analyse.long_table.pairs import PairVotes
from eyelevel.analyse.long_table.wording import Choice
from eyelevel.analyse.pair_fits import PairFits
from eyelevel.analyse.pair_results import PairRow, WinRow
from eyelevel.analyse.report.opinion_figure import Mean, Wording, opinion_figure
from eyelevel.analyse.report.pair_fits import fit_parts, fit_summary
from eyelevel.analyse.report.parts import NO_SESSIONS, Section, captioned, facts, how_to_read, listed, page, shown
from eyelevel.analyse.tables import pair_table, sign_table, win_table
from eyelevel.report.words import plural, share
from eyelevel_figures.elements import tag
from eyelevel_figures.words import Words
from eyelevel_stats.rows.metrics import SignRow

# a share of the left side farther from a half than this is reported
SIDE = 0.05
WORDING = Wording("share of answers that prefer the first of the two", "pair", "pairs", "answers", cut=False)


def pair_page(
    votes: PairVotes,
    pairs: Sequence[PairRow],
    wins: Sequence[WinRow],
    signs: Sequence[SignRow],
    *,
    source: str,
    origin: str,
    read: Mapping[str, str],
    notices: Sequence[str],
    provenance: Mapping[str, str],
    found: PairFits | None = None,
) -> dict[str, str]:
    """The page and its figures as files; `read` and `provenance` are facts to list, `source` is the name of the file.

    `origin` is what figures name as their source. `found` is None before the fits are computed.
    """
    people = len({who for who, *_ in votes.votes})
    lead = (
        f"{plural(len(votes.votes), 'answer')} of {plural(people, 'participant')} about {plural(len(pairs), 'pair')} "
        f"of {plural(len(wins), 'stimulus', 'stimuli')}."
    )
    means = [
        Mean(f"{row.stimulus_a} or {row.stimulus_b}", row.share_a, row.ci_low, row.ci_high, row.n) for row in pairs
    ]
    return page(
        f"Comparisons of {source}",
        lead,
        [
            Section(
                "short", "In short", [listed([*summary(votes, wins), *(fit_summary(found) if found else [])], "short")]
            ),
            Section(
                "read",
                "What was read",
                [
                    facts(read),
                    *([listed(notices, "notices")] if notices else []),
                    tag("p", NO_SESSIONS, class_="note"),
                ],
            ),
            Section(
                "pairs",
                "Answers about each pair",
                [
                    captioned(opinion_figure(means, (0, 1), "pairs", WORDING), origin, pair_table(pairs)),
                    how_to_read(Words()("shares.how")),
                ],
            ),
            Section(
                "preferred",
                "How often each stimulus was preferred",
                [
                    how_to_read(
                        "An answer of no difference counts as half. The share depends on the pairs that were asked: "
                        "a stimulus that was beside weak ones only has a large share."
                    ),
                    shown(win_table(wins)),
                ],
            ),
            *([Section("fits", "How far the stimuli are apart", fit_parts(found))] if found else []),
            *([Section("metrics", "Metrics against people", _metrics(signs))] if signs else []),
            Section("provenance", "Where it comes from", [facts(provenance)]),
        ],
    )


def _metrics(rows: Sequence[SignRow]) -> list[Element]:
    return [
        shown(sign_table(rows)),
        how_to_read(
            "Of the pairs about which most participants agree, the share in which the metric has the better value for "
            "the stimulus that they prefer. A metric that says nothing reaches 50 %.",
            "A smaller value is better, but of metrics that were named with --higher-is-better.",
        ),
    ]


def summary(votes: PairVotes, wins: Sequence[WinRow]) -> list[str]:
    """The most important results, a sentence each."""
    first, last = wins[0], wins[-1]
    said = [
        f"Stimulus {first.stimulus} was preferred most often ({share(first.share_preferred)} of its answers, no "
        f"difference counted as half), stimulus {last.stimulus} least often ({share(last.share_preferred)})."
    ]
    tied = sum(choice is Choice.NONE for *_, choice in votes.votes)
    if tied:
        said.append(f"No difference was seen in {share(tied / len(votes.votes))} of the answers.")
    if votes.sided:
        decided = [choice for *_, choice in votes.votes if choice is not Choice.NONE]
        left = sum(choice is Choice.LEFT for choice in decided) / len(decided) if decided else 0.5
        if abs(left - 0.5) > SIDE:
            said.append(
                f"{share(left)} of the decided answers are for the left side; the sides may not have been balanced."
            )
    return said
