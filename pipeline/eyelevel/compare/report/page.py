"""Renders the report's page: the answer, its tables, and the quality of the data."""

from collections.abc import Iterable, Mapping, Sequence
from xml.etree.ElementTree import Element

from eyelevel.compare.added import Section
from eyelevel.compare.comparison import Comparison
from eyelevel.compare.report.answers import answers, lead, verdict
from eyelevel.compare.report.drawing import Figures
from eyelevel.compare.report.parts import by_pair, folded, grid
from eyelevel.compare.report.provenance import facts
from eyelevel.compare.wire import WIRE, WIRE_WORDS
from eyelevel.report.style import CSS
from eyelevel.report.table import Filled, table_element
from eyelevel.report.words import listed, plural, sentence_case
from eyelevel_figures.elements import html_text, tag

# runs of more sites are folded
MANY_SITES = 12
RUNS = "One mark per run, on a logarithmic axis. A run whose page never settled has none here."
# bound for p-values after correction, in the sentence about films
SIGNIFICANT = 0.05
CLAIMS = {"faster": "faster", "slower": "slower", "open": "open", "nothing": "too little data"}


def page(
    comparison: Comparison, tables: Mapping[str, Filled], figures: Figures, sections: Sequence[Section] = ()
) -> str:
    """Renders the page; the sections of other packages come before the section about the data."""
    title = f"{comparison.batch.campaign.name}: protocol stacks compared"
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("title", title),
        tag("style", CSS),
    )
    parts = [
        _section("answer", "The answer", _answer(comparison, figures)),
        _section("believed", "Inference", _believed(comparison, tables, figures)),
        *(_section(section.key, section.head, section.content) for section in sections),
        _section("data", "Data quality", _data(comparison, tables, figures)),
        _section("provenance", "Provenance", _provenance(comparison)),
    ]
    links = [tag("li", tag("a", part[0].text, href=f"#{part.get('id')}")) for part in parts]
    body = tag(
        "body",
        tag("a", "To the answer", href="#answer", class_="skip"),
        tag("header", tag("h1", title), tag("p", lead(comparison), class_="lead")),
        tag("nav", tag("ul", links), aria_label="Sections"),
        tag("main", parts),
        tag("footer", tag("p", "Made by eyelevel compare. The same batch gives the same bytes.")),
    )
    return html_text(tag("html", head, body, lang="en"))


def _section(key: str, head: str, children: Iterable[Element]) -> Element:
    return tag("section", tag("h2", head, id=f"{key}-head"), children, id=key, aria_labelledby=f"{key}-head")


def _answer(comparison: Comparison, figures: Figures) -> list[Element]:
    cards, verdicts = [], []
    for pair in comparison.choices.pairs:
        lines: list[Element] = []
        by_network = answers(comparison, pair)
        verdicts.append(tag("li", sentence_case(verdict(pair, by_network))))
        for answer in by_network:
            claim = tag("span", CLAIMS[answer.claim], class_=f"claim {answer.claim}")
            lines += [tag("dt", answer.network, claim), tag("dd", answer.sentence)]
        cards.append(tag("div", tag("h3", str(pair)), tag("dl", lines), class_="answer"))
    caption = (
        "Geometric mean gain over sites: left of 0 the new stack is faster. The thick bar is the 95 % interval for "
        "these very sites, the thin bar that for sites like these. A filled mark is a gain that is significant for "
        "sites like these after correction, and above the detection floor. An arrow means that the interval continues "
        "beyond the plot."
    )
    return [
        tag("p", "By the Speed Index, after correction for the number of tests:"),
        tag("ul", verdicts, class_="verdicts"),
        grid(figures.forests, caption, "figures"),
        tag("h3", "In figures"),
        tag("div", cards, class_="answers"),
    ]


def _believed(comparison: Comparison, tables: Mapping[str, Filled], figures: Figures) -> list[Element]:
    method = (
        "Student’s test on log ratios within blocks"
        if comparison.batch.campaign.paired
        else "Welch’s test on log times"
    )
    text = (
        f"Load times are skewed and vary by ratio, so all tests here are on logarithms ({method}). In metrics that "
        "depend on the film’s end, a run that never settled counts as its network’s limit, in both arms. The p-values "
        "are corrected for the number of tests of the pair, separately for the five main metrics and for those that "
        "the browser measures."
    )
    few_sites = len({load.site for load in comparison.loads}) <= MANY_SITES
    tests, overall = tables["site-tests"], tables["overall"]
    return [
        tag("p", text),
        tag("p", "The next tables are parts of ", tag("a", overall.file, href=f"tables/{overall.file}"), "."),
        *(
            table_element(
                overall,
                rows=[row for row in overall.rows if row.pair == pair],
                without=("new_stack", "reference_stack"),
                caption=f"{overall.caption}: {pair}",
            )
            for pair in comparison.choices.pairs
        ),
        tag("p", overall.note, class_="note"),
        table_element(tables["amounts"]),
        tag("h3", "Every run"),
        folded("The Speed Index of every run", grid(figures.runs, RUNS, "figures"), unfolded=few_sites),
        tag("h3", "Site by site"),
        *by_pair(tests, [(str(row.pair), row.network) for row in tests.rows]),
    ]


def _data(comparison: Comparison, tables: Mapping[str, Filled], figures: Figures) -> list[Element]:
    excluded = [f"{row.site} ({row.reason})" for row in comparison.fidelity if not row.kept]
    fidelity = (
        f"These sites are excluded from the comparison for all stacks: {listed(excluded)}."
        if excluded
        else "Every site that was checked passes the three gates of its replay check, over every stack."
    )
    parts = [tag("p", remark) for remark in comparison.remarks]
    if comparison.batch.attempts is None:
        parts.append(tag("p", "The batch has no attempts.jsonl, so the number of void attempts is unknown."))
    parts += [table_element(tables["runs"]), table_element(tables["rate-tests"])]
    parts += [tag("p", fidelity), table_element(tables["fidelity"]), *_leaving(comparison, tables)]
    parts += [
        tag(
            "p",
            "The time origin of a film is the navigation start that the browser reports. Each run checks it twice: the "
            "clock that stamps the frames is compared with the browser’s clock, and the film’s first change with the "
            "browser’s first paint, to half a frame per run. A difference between the arms would shift every visual "
            "metric by the same amount. No difference below the detection floor is claimed. The first part of the "
            "floor is the end of an interval that is farther from 0: that of the first paint, or, if too few films "
            "know their first paint, that of the clocks plus a frame. The second part is the cost of filming, which "
            f"may slow one stack more than another by {100 * comparison.choices.film_cost:g}\u00a0% of the time.",
        ),
        table_element(tables["alignment"]),
        *_first_paints(comparison, tables["first-paint"]),
        *_some(tables["off-by-a-frame"], "film", "whose time origin is off by more than a frame"),
        *_films(comparison, tables["films"]),
        *_pressure(comparison, tables["pressure"]),
        *_spread(tables["spread"]),
        *_machines(tables),
        *_motion(comparison, tables),
    ]
    if tables["left-out"].rows:
        parts += _some(tables["left-out"], "value", "that takes do not have")
    else:
        parts.append(tag("p", "Every compared take has every metric."))
    shown = "What each site loads, and from how many servers."
    return [
        *parts,
        tag("h3", "Size and servers"),
        tag("figure", figures.sites.element(), tag("figcaption", shown)),
        table_element(tables["sites"]),
    ]


def _motion(comparison: Comparison, tables: Mapping[str, Filled]) -> list[Element]:
    """How far takes contradict their masks; empty if no take has a mask."""
    checked = [load for load in comparison.loads if load.motion]
    masked = [load.motion for load in checked if load.motion]
    if not masked:
        return []
    flags = [
        f"{plural(count, 'take')} {what}"
        for count, what in (
            (sum(motion.animated for motion in masked), "of pages that are animated as a whole"),
            (
                sum(motion.timed for motion in masked),
                "of pages that change by their own timers after they have settled",
            ),
        )
        if count
    ]
    text = (
        "Metrics freeze motion that never ends as it first appeared, by a mask that was learned before the first run "
        "and is the same for all stacks. The takes check the mask for motion outside it, and for regions that never "
        "appear. When a take settles, nothing moves outside the mask; only a take that ran to its time limit can show "
        f"motion that continues ({sum(not load.settled for load in checked)} of {plural(len(checked), 'take')})."
    )
    parts = [tag("p", " ".join([text, *(f"{words}." for words in flags)]))]
    if not tables["motion"].rows:
        return [*parts, tag("p", "No take shows motion outside its mask, and every region appeared in every take.")]
    return [*parts, table_element(tables["motion"]), *_some(tables["motion-takes"], "take", "with such a finding")]


def _films(comparison: Comparison, table: Filled) -> list[Element]:
    """The defects of the films in a sentence, and whether stacks differ in them."""
    known = [load for load in comparison.loads if load.lost_changes is not None]
    if not known:
        return [tag("p", "No take records defects of its film.")]
    lost = sum(bool(load.lost_changes) for load in known)
    torn = sum(bool(load.unquiet_frames) for load in known)
    late_ms = max((load.late_ms for load in known if load.late_ms is not None), default=0.0)
    text = (
        f"Of {plural(len(known), 'film')} {lost:,} lost a change of the screen and {torn:,} may have a torn frame; the "
        f"latest fetch of a picture was {late_ms:,.0f} ms after its change. None of this voids a run. {_uneven(table)}"
    )
    return [tag("p", text), *([table_element(table)] if table.rows else [])]


def _uneven(table: Filled) -> str:
    """The rows in which stacks differ, in a sentence."""
    uneven = [row for row in table.rows if row.p_adjusted is not None and row.p_adjusted < SIGNIFICANT]
    if not uneven:
        return "No difference between stacks was found in these figures."
    rows = [f"{row.figure} ({row.pair}, {row.network})" for row in uneven]
    return f"The stacks differ in {listed(rows)}, so the films may cause part of a difference in visual metrics."


def _pressure(comparison: Comparison, table: Filled) -> list[Element]:
    loads = comparison.loads
    unknown = sum(load.pressure is None for load in loads)
    if unknown == len(loads):
        return [tag("p", "No take records the use of the processors during the load.")]
    missing = (
        f"{unknown:,} of {plural(len(loads), 'take')} lack these figures, so it is unknown whether other programs used "
        "the processors."
    )
    parts = [tag("p", missing)] if unknown else []
    if not table.rows:
        return parts
    text = (
        "A run is void if programs outside the capture used more of the processors than the campaign allows. The time "
        "that the run itself waited for a processor never voids it, because a stack in user space would then keep only "
        "its lucky runs. If the stacks differ in this time, part of their difference is due to the machine."
    )
    return [*parts, tag("p", text), table_element(table)]


def _machines(tables: Mapping[str, Filled]) -> list[Element]:
    """The share of the variance that is due to machines; empty for a campaign of one machine."""
    if not tables["machine-shares"].rows:
        return []
    text = (
        "Several machines filmed this campaign. One machine filmed each block, so a slow machine slows all stacks of "
        "a scene. The share is the part of a metric’s variance between takes of the same page, network and stack that "
        "is due to machines. Its interval is exact for a mixed model."
    )
    return [tag("p", text), table_element(tables["machine-shares"]), table_element(tables["machines"])]


def _spread(table: Filled) -> list[Element]:
    """The variation of the Speed Index within settings; empty if no setting has enough takes."""
    if not table.rows:
        return []
    text = (
        "Replayed to one stack, a page does about the same work in each run. If its processor time varies, the "
        "processors probably did this work faster or slower, because of other guests on the host of a virtual machine "
        "or a changing clock rate. Idle time does not show this, and steal time shows only a part. If packets are "
        "lost, the work differs as well. The last column is the variation of the Speed Index that processor time does "
        "not explain. Gains are not adjusted for it, because one stack can use more processor time than another."
    )
    return [tag("p", text), table_element(table)]


def _first_paints(comparison: Comparison, table: Filled) -> list[Element]:
    """The number of films whose time origin the first paint does not confirm; empty if it confirms all."""
    unknown = sum(row.unknown for row in comparison.first_paints)
    if not unknown:
        return []
    text = (
        f"The first paint of {plural(unknown, 'film')} of {len(comparison.loads):,} does not explain the first change: "
        "it is unknown, or over 100 ms away and then attributed to another change. For these films, only the clocks "
        "show whether the time origin is off by a frame."
    )
    return [tag("p", text), *_some(table, "scene", "with the films for which this is known and unknown")]


def _leaving(comparison: Comparison, tables: Mapping[str, Filled]) -> list[Element]:
    """Scenes and takes that are excluded although their site is kept."""
    if comparison.batch.findings is None:
        return []
    parts: list[Element] = []
    if comparison.settings_mismatches:
        text = (
            "Two stacks of a scene may differ on the wire only in what their definitions differ in. These takes "
            "contradict that, so their scenes are excluded for all stacks."
        )
        parts += [tag("p", text), table_element(tables["unlike"])]
    if not comparison.content_mismatches:
        text = "No take that is compared is known to have a content mismatch with its scene."
        return [*parts, tag("p", text)]
    counts = [f"{row.stack} {row.mismatched} of {row.comparable}" for row in comparison.counts]
    text = (
        "Takes with a content mismatch were served other content than most takes of their scene, so they show another "
        f"page and are excluded: {listed(counts)}. Whether this affects stacks unevenly is tested above."
    )
    otherwise = tables["served-otherwise"]
    parts += [tag("p", text), table_element(otherwise), tag("ul", [tag("li", row.words) for row in otherwise.rows])]
    return [*parts, *_some(tables["with-all-takes"], "gain", "with and without the excluded takes")]


def _some(table: Filled, noun: str, words: str) -> list[Element]:
    """A table, unfolded if it is short; empty if the table is empty."""
    count = len(table.rows)
    if not count:
        return []
    summary = tag("summary", f"{plural(count, noun)} {words}")
    return [tag("details", summary, table_element(table), open="open" if count <= 10 else None)]


def _provenance(comparison: Comparison) -> list[Element]:
    lines = [part for name, value in facts(comparison) for part in (tag("dt", name), tag("dd", value))]
    every = (
        ("takes.csv", "every take with its metrics"),
        (WIRE.file, WIRE_WORDS),
        ("columns.csv", "the meaning of every column of every table"),
    )
    links = [tag("li", tag("a", name, href=f"tables/{name}"), f": {words}") for name, words in every]
    return [tag("dl", lines, class_="facts"), tag("ul", links)]
