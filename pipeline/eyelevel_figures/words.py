"""All words of figures, in English and German."""

from collections.abc import Mapping
from dataclasses import dataclass

from eyelevel_figures import numbers
from eyelevel_figures.numbers import LANGUAGES, Language
from eyelevel_kinds.scale import LABELS
from eyelevel_stats.reasons import SENTENCES, Reason
from eyelevel_stats.rows.words import VERDICTS

# key -> (English, German)
TEXTS: Mapping[str, tuple[str, str]] = {
    "yes": ("yes", "ja"),
    "no": ("no", "nein"),
    "network": ("Network", "Netz"),
    "stack": ("Stack", "Stack"),
    "all_networks": ("all networks", "alle Netze"),
    "source": ("Study {study}, snapshot {snapshot}.", "Studie {study}, Datenstand {snapshot}."),
    "source_simulated": (
        "Study {study}, snapshot {snapshot}, simulated sessions included.",
        "Studie {study}, Datenstand {snapshot}, mit simulierten Sitzungen.",
    ),
    "source_votes": ("Study {study}, {votes} votes.", "Studie {study}, {votes} Bewertungen."),
    "source_edited": (
        "Study {study}, edited votes, SHA-256 {sha256}.",
        "Studie {study}, geänderte Bewertungen, SHA-256 {sha256}.",
    ),
    "source_now": ("Study {study}, as of now.", "Studie {study}, aktueller Stand."),
    "scale.1": (LABELS[0]["en"], LABELS[0]["de"]),
    "scale.7": (LABELS[-1]["en"], LABELS[-1]["de"]),
    "cut.axis": (
        "The axis is cut: an arrow marks an interval that continues beyond it.",
        "Die Achse ist gekürzt: Ein Pfeil kennzeichnet ein Intervall, das über sie hinausgeht.",
    ),
    "cut.scale": (
        "An arrow marks an interval that is cut at the end of the scale.",
        "Ein Pfeil kennzeichnet ein Intervall, das am Ende der Skala abgeschnitten ist.",
    ),
    # effects of hypotheses
    "effects.rate.title": (
        "Effects on ratings, with the margins of the plan",
        "Effekte auf Bewertungen, mit den Schwellen des Plans",
    ),
    "effects.compare.title": (
        "Effects on choices between two sides, with the margins of the plan",
        "Effekte auf die Wahl zwischen zwei Seiten, mit den Schwellen des Plans",
    ),
    "effects.rate.axis": ("difference of MOS, in points", "Differenz der MOS in Punkten"),
    "effects.compare.axis": (
        "difference of shares, in percentage points",
        "Differenz der Anteile in Prozentpunkten",
    ),
    "effects.first": ("← {first} is better", "← {first} ist besser"),
    "effects.second": ("{second} is better →", "{second} ist besser →"),
    "effects.any_first": ("the first stack", "der erste Stack"),
    "effects.any_second": ("the second stack", "der zweite Stack"),
    "effects.margin": ("margin", "Schwelle"),
    "effects.few": (
        "Too few participants for an interval in at least one row.",
        "In mindestens einer Zeile zu wenige Teilnehmende für ein Intervall.",
    ),
    "effects.said": (
        "{hypothesis}, {place}: {pair} {estimate} {interval} ({level}), {inner} ({inner_level}), {verdict} "
        "(n = {n}){beside}.",
        "{hypothesis}, {place}: {pair} {estimate} {interval} ({level}), {inner} ({inner_level}), {verdict} "
        "(n = {n}){beside}.",
    ),
    "effects.levels": (
        "Thin line: {outer} interval, for a difference; thick line: {inner} interval, for equivalence.",
        "Dünne Linie: {outer}-Intervall, für einen Unterschied; dicke Linie: {inner}-Intervall, für Äquivalenz.",
    ),
    "effects.d": ("{d} SD", "{d} SD"),
    "effects.si": ("{change} of SI", "{change} des SI"),
    "effects.least": ("equivalent for a margin of {value} or more", "gleichwertig ab einer Schwelle von {value}"),
    "effects.detectable": ("smallest detectable difference: {value}", "kleinster nachweisbarer Unterschied: {value}"),
    "effects.how": (
        "Dot: estimate of the change from the first stack to the second. Thin line: the interval that decides whether "
        "there is a difference; there is one if the line does not touch 0. Thick line: the interval that decides "
        "whether a difference is too small to matter; it is if the line lies within the shaded band, which is the "
        "margin that the plan states. SD: standard deviations of single votes about the fitted values. Percent of SI: "
        "the increase of the Speed Index that changes the answers by as much as the margin. Equivalent for a margin: "
        "the smallest margin for which the votes would show equivalence. Smallest detectable difference: the one that "
        "the planned number of participants finds with the plan's power.",
        "Punkt: Schätzwert der Änderung vom ersten zum zweiten Stack. Dünne Linie: das Intervall, das entscheidet, ob "
        "es einen Unterschied gibt; es gibt einen, wenn die Linie die 0 nicht berührt. Dicke Linie: das Intervall, "
        "das entscheidet, ob ein Unterschied zu klein ist, um wichtig zu sein; das ist so, wenn die Linie im "
        "schattierten Band liegt, der Schwelle aus dem Plan. SD: Standardabweichungen einzelner Stimmen um die "
        "angepassten Werte. Prozent des SI: der Anstieg des Speed Index, der die Antworten so stark ändert wie die "
        "Schwelle. Gleichwertig ab einer Schwelle: die kleinste Schwelle, bei der die Stimmen Äquivalenz zeigen "
        "würden. Kleinster nachweisbarer Unterschied: der, den die geplante Zahl von Teilnehmenden mit der Teststärke "
        "des Plans findet.",
    ),
    **{f"verdict.{verdict}": texts for verdict, texts in VERDICTS.items()},
    # mean opinion scores
    "mos.title": ("Mean opinion scores on {network}", "Mittlere Bewertungen (MOS) in {network}"),
    "mos.axis": (
        "mean opinion score (MOS) with 95 % interval",
        "mittlere Bewertung (MOS) mit 95-%-Intervall",
    ),
    "mos.axis_short": ("MOS with 95 % interval", "MOS mit 95-%-Intervall"),
    "mos.how": (
        "Each mark is the mean opinion score of a stack at a site, on the scale from 1 (extremely bad) to 7 (ideal); "
        "the line is its 95 % confidence interval over participants. n is the number of participants. Further right "
        "is better.",
        "Jedes Zeichen ist die mittlere Bewertung eines Stacks auf einer Website, auf der Skala von 1 (extrem "
        "schlecht) bis 7 (ideal); die Linie ist ihr 95-%-Konfidenzintervall über die Teilnehmenden. n ist deren "
        "Anzahl. Weiter rechts ist besser.",
    ),
    "mos.alone": (
        "With a single participant there is no interval.",
        "Bei nur einer teilnehmenden Person gibt es kein Intervall.",
    ),
    "mos.said": (
        "{n} means. The lowest is {low}; the highest is {high}.",
        "{n} Mittelwerte. Der niedrigste ist {low}; der höchste ist {high}.",
    ),
    "ends.top": (
        "Ceiling effect: most conditions have a mean above 6, so differences look smaller than they are.",
        "Deckeneffekt: Die meisten Bedingungen haben einen Mittelwert über 6; Unterschiede sehen kleiner aus, als sie "
        "sind.",
    ),
    "ends.bottom": (
        "Floor effect: most conditions have a mean below 2, so differences look smaller than they are.",
        "Bodeneffekt: Die meisten Bedingungen haben einen Mittelwert unter 2; Unterschiede wirken kleiner, als sie "
        "sind.",
    ),
    "ends.ceiling": (
        "Ceiling effect: in {n} of {of} conditions, over a quarter of the votes are 7. Differences there look smaller "
        "than they are.",
        "Deckeneffekt: In {n} von {of} Bedingungen ist mehr als ein Viertel der Bewertungen eine 7. Unterschiede "
        "wirken dort kleiner, als sie sind.",
    ),
    "ends.floor": (
        "Floor effect: in {n} of {of} conditions, over a quarter of the votes are 1. Differences there look smaller "
        "than they are.",
        "Bodeneffekt: In {n} von {of} Bedingungen ist mehr als ein Viertel der Bewertungen eine 1. Unterschiede "
        "wirken dort kleiner, als sie sind.",
    ),
    "heat.title": (
        "Satisfaction by site, network and stack (MOS)",
        "Zufriedenheit nach Website, Netz und Stack (MOS)",
    ),
    "heat.how": (
        "Each cell is the mean opinion score of a stack at a site: orange is bad, blue is good, n is the number of "
        "participants. Compare the cells of one site on one network. A corner marks a cell with over a quarter of its "
        "votes at an end of the scale. An empty cell has no votes.",
        "Jede Zelle ist die mittlere Bewertung eines Stacks auf einer Website: Orange ist schlecht, Blau ist gut, n "
        "ist die Anzahl der Teilnehmenden. Vergleichen Sie die Zellen einer Website in einem Netz. Eine Ecke "
        "kennzeichnet eine Zelle, in der mehr als ein Viertel der Bewertungen an einem Ende der Skala liegt. Eine "
        "leere Zelle hat keine Bewertungen.",
    ),
    # distributions
    "scores.title": ("Distribution of all {n} ratings", "Verteilung aller {n} Bewertungen"),
    "scores.axis": ("score", "Bewertung"),
    "scores.how": (
        "The height of a bar is the share of all ratings with this score, over all clips. If many ratings lie at one "
        "end of the scale, participants could not express stronger opinions.",
        "Die Höhe eines Balkens ist der Anteil dieser Bewertung an allen Bewertungen, über alle Clips. Liegen viele "
        "Bewertungen an einem Ende der Skala, konnten die Teilnehmenden keine stärkere Meinung ausdrücken.",
    ),
    "scores.end": (
        "{share} of all ratings are {score}, an end of the scale.",
        "{share} aller Bewertungen sind {score}, ein Ende der Skala.",
    ),
    "scores.each_title": (
        "Distribution of ratings by network and stack",
        "Verteilung der Bewertungen nach Netz und Stack",
    ),
    "scores.each_said": (
        "Distributions of the scores 1 to 7 of the stacks {stacks} on {networks}; the shares are in the table.",
        "Verteilungen der Bewertungen 1 bis 7 der Stacks {stacks} in {networks}; die Anteile stehen in der Tabelle.",
    ),
    "scores.each_how": (
        "Each panel has the shares of the scores 1 to 7 of one stack on one network, over all sites; n is the number "
        "of votes. All panels have the same height. A dark bar at an end of the scale has over a quarter of the votes.",
        "Jedes Feld zeigt die Anteile der Bewertungen 1 bis 7 eines Stacks in einem Netz, über alle Websites; n ist "
        "die Anzahl der Bewertungen. Alle Felder haben dieselbe Höhe. Ein dunkler Balken an einem Ende der Skala "
        "enthält mehr als ein Viertel der Bewertungen.",
    ),
    "scores.crowded": (
        "In {n} panels, over a quarter of the votes lie at an end of the scale.",
        "In {n} Feldern liegt mehr als ein Viertel der Bewertungen an einem Ende der Skala.",
    ),
    # comparisons
    "pairs.title": (
        "Answers about {first} and {second} on {network}",
        "Antworten zu {first} und {second} in {network}",
    ),
    "pairs.none": ("no difference", "kein Unterschied"),
    "pairs.axis": ("share of answers", "Anteil der Antworten"),
    "pairs.said": (
        "{site}: {first} {a} {interval}, no difference {none}, {second} {b}, n = {n}.",
        "{site}: {first} {a} {interval}, kein Unterschied {none}, {second} {b}, n = {n}.",
    ),
    "pairs.how": (
        "Each bar has all answers about {first} and {second} at a site, whichever side they were shown on. From its "
        "left end: {first} faster; in the middle: no difference; up to its right end: {second} faster. The line is "
        "the 95 % interval of the share of {first} (Wilson's interval).",
        "Jeder Balken enthält alle Antworten zu {first} und {second} auf einer Website, gleich auf welcher Seite sie "
        "gezeigt wurden. Vom linken Ende an: {first} schneller; in der Mitte: kein Unterschied; bis zum rechten Ende: "
        "{second} schneller. Die Linie ist das 95-%-Intervall des Anteils von {first} (nach Wilson).",
    ),
    # metrics
    "leaders.title": (
        "Agreement of metrics with mean opinion scores",
        "Übereinstimmung der Metriken mit den mittleren Bewertungen",
    ),
    "leaders.axis": ("Spearman's correlation with MOS", "Korrelation nach Spearman mit MOS"),
    "leaders.within": ("within sites", "innerhalb von Websites"),
    "leaders.raw": ("over all clips", "über alle Clips"),
    "leaders.raw_stimuli": ("over all stimuli", "über alle Stimuli"),
    "leaders.best": ("may be the best metric", "kann die beste Metrik sein"),
    "leaders.ceiling_raw": ("ceiling, over all", "Obergrenze, über alle"),
    "leaders.ceiling_within": ("ceiling, within sites", "Obergrenze, innerhalb"),
    "leaders.no_intervals": (
        "Too few clips or sites for intervals and a best set: both need 8 sites and two metrics.",
        "Zu wenige Clips oder Websites für Intervalle und eine Auswahl der besten Metriken: Beides braucht 8 Websites "
        "und zwei Metriken.",
    ),
    "leaders.how": (
        "Further right, a metric agrees better with people; its sign is turned so that 1 is full agreement. A circle "
        "counts only differences between clips of the same site (and network), with its 95 % interval by bootstrap; a "
        "square counts all clips, and is large wherever sites differ in speed. ★: metrics that may be the best one; "
        "with 95 % confidence, the best is among them. Votes are noisy, so that even a perfect metric would not reach "
        "1: the lines are the noise ceilings, within sites that of Pearson's correlation.",
        "Weiter rechts stimmt eine Metrik besser mit den Menschen überein; ihr Vorzeichen ist so gedreht, dass 1 "
        "volle Übereinstimmung ist. Ein Kreis zählt nur Unterschiede zwischen Clips derselben Website (und desselben "
        "Netzes), mit dem 95-%-Intervall aus Bootstrap; ein Quadrat zählt alle Clips und ist groß, wo immer Websites "
        "sich im Tempo unterscheiden. ★: Metriken, die die beste sein können; mit 95 % Konfidenz ist die beste "
        "darunter. Bewertungen streuen, sodass auch eine perfekte Metrik die 1 nicht erreicht: Die Linien sind die "
        "Obergrenzen durch dieses Rauschen, innerhalb von Websites die der Korrelation nach Pearson.",
    ),
    "scatter.title": ("Mean opinion scores against {metric}", "Mittlere Bewertungen gegen {metric}"),
    "scatter.mos": ("MOS", "MOS"),
    "scatter.in_s": ("{metric} in s", "{metric} in s"),
    "scatter.log": ("logarithmic", "logarithmisch"),
    "scatter.cut": (
        "The axis of scores is cut: {low} to {high} of 1 to 7.",
        "Die Achse der Bewertungen ist gekürzt: {low} bis {high} von 1 bis 7.",
    ),
    "scatter.few": (
        "Fewer than 10 clips: too few to say how well the metric predicts the scores.",
        "Weniger als 10 Clips: zu wenige, um zu sagen, wie gut die Metrik die Bewertungen vorhersagt.",
    ),
    "scatter.said": (
        "{n} clips with {metric} from {low} to {high}; every value is in the table.",
        "{n} Clips mit {metric} von {low} bis {high}; alle Werte stehen in der Tabelle.",
    ),
    "scatter.said_fit": (
        "Fitted mapping: {model}; its error for clips of other sites is {error} points.",
        "Angepasste Abbildung: {model}; ihr Fehler bei Clips anderer Websites beträgt {error} Punkte.",
    ),
    "scatter.how": (
        "Each mark is a clip: its metric to the right, its mean opinion score upwards. Colour shows the network, "
        "shape the stack. A vertical line is the 95 % confidence interval over participants. For a good metric, marks "
        "lie close to a falling line.",
        "Jedes Zeichen ist ein Clip: seine Metrik nach rechts, seine mittlere Bewertung nach oben. Die Farbe zeigt "
        "das Netz, die Form den Stack. Eine senkrechte Linie ist das 95-%-Konfidenzintervall über die Teilnehmenden. "
        "Bei einer guten Metrik liegen die Zeichen nahe an einer fallenden Linie.",
    ),
    "scatter.how_fit": (
        "The curve is the mapping with the least error for sites that were left out of its fit; the band is this "
        "error to each side.",
        "Die Kurve ist die Abbildung mit dem kleinsten Fehler bei Websites, die bei der Anpassung fehlten; das Band "
        "ist dieser Fehler nach beiden Seiten.",
    ),
    # figures of a table of votes, whose stimuli may be anything
    "opinions.how": (
        "A mark is the mean of the participants' scores of one stimulus; the line is its 95 % interval. If the study "
        "were repeated with other people of the same kind, 95 of 100 such intervals would contain the mean of all "
        "people. Where the intervals of two stimuli overlap widely, the study does not distinguish them.",
        "Ein Zeichen ist der Mittelwert der Bewertungen eines Stimulus; die Linie ist sein 95-%-Intervall. Würde die "
        "Studie mit anderen Menschen derselben Art wiederholt, enthielten 95 von 100 solchen Intervallen den "
        "Mittelwert aller Menschen. Wo sich die Intervalle zweier Stimuli weit überlappen, unterscheidet die Studie "
        "sie nicht.",
    ),
    "shares.how": (
        "A mark is the share of all answers that prefer the first of the two stimuli; the line is its 95 % interval "
        "(Wilson's, over participants). Answers of no difference are part of the whole, so that 0.5 is the middle only "
        "without them.",
        "Ein Zeichen ist der Anteil aller Antworten, die den ersten der beiden Stimuli vorziehen; die Linie ist sein "
        "95-%-Intervall (nach Wilson, über die Teilnehmenden). Antworten ohne Unterschied zählen zum Ganzen, sodass "
        "0,5 nur ohne sie die Mitte ist.",
    ),
    "scatter.how_stimuli": (
        "Each mark is a stimulus: its metric to the right, its mean opinion score upwards. A narrow band of marks that "
        "only rises or only falls means that the metric orders the stimuli as people do.",
        "Jedes Zeichen ist ein Stimulus: seine Metrik nach rechts, seine mittlere Bewertung nach oben. Ein schmales "
        "Band von Zeichen, das nur steigt oder nur fällt, bedeutet, dass die Metrik die Stimuli ordnet, wie Menschen "
        "es tun.",
    ),
    "predictions.how": (
        "A mark is a clip, the line the interval in which the MOS of its votes was predicted to lie with a probability "
        "of 90 %, from the votes on all other sites and one metric. A line that crosses the diagonal contains the "
        "observed MOS; clips of other lines have square marks. For each site, the metric and the model are chosen "
        "again without it. Clips outside the metric's range on the other sites have no prediction.",
        "Ein Zeichen ist ein Clip, die Linie das Intervall, in dem die MOS seiner Bewertungen nach der Vorhersage mit "
        "einer Wahrscheinlichkeit von 90 % liegt, aus den Bewertungen aller anderen Websites und einer Metrik. Eine "
        "Linie, die die Diagonale kreuzt, enthält die beobachtete MOS; die Zeichen der anderen sind Quadrate. Für jede "
        "Website werden Metrik und Modell ohne sie neu gewählt. Clips außerhalb des Bereichs der Metrik bei den "
        "anderen erhalten keine Vorhersage.",
    ),
    # screening
    "funnel.title": (
        "Sessions of the group {group} remaining after each rule",
        "Verbleibende Sitzungen der Gruppe {group} nach jeder Regel",
    ),
    "funnel.how": (
        "Each bar is the number of sessions that remain after a rule, in the order of the rules. The number in "
        "brackets is the number of sessions that the rule excludes. The last two bars are the sessions used in the "
        "analysis and the accepted sessions, which are paid.",
        "Jeder Balken ist die Anzahl der Sitzungen, die nach einer Regel übrig bleiben, in der Reihenfolge der "
        "Regeln; in Klammern steht, wie viele die Regel ausschließt. Die letzten beiden Balken sind die Sitzungen, "
        "die in die Auswertung eingehen, und die, die bezahlt werden.",
    ),
    "funnel.started": ("started", "begonnen"),
    "funnel.completed": ("completed", "abgeschlossen"),
    "funnel.used": ("used in the analysis", "in der Auswertung verwendet"),
    "funnel.accepted": ("accepted (paid)", "angenommen, wird bezahlt"),
    "funnel.not_asked": ("not asked", "nicht gefragt"),
    "funnel.excludes_nobody": ("excludes nobody", "ohne Ausschluss"),
    "funnel.waiting": (
        "Completed, but not screened yet: {n}.",
        "Abgeschlossen, aber noch nicht geprüft: {n}.",
    ),
    "funnel.otherwise": (
        "Not used although no rule excludes them: {reasons}.",
        "Nicht verwendet, obwohl keine Regel sie ausschließt: {reasons}.",
    ),
    "funnel.skipped": (
        "Participants who skipped videos because their window was too small: {n}.",
        "Teilnehmende, die Videos übersprangen, weil ihr Fenster zu klein war: {n}.",
    ),
    "rule.R1": ("R1: played every video", "R1: jedes Video abgespielt"),
    "rule.R2": ("R2: no long stall", "R2: keine lange Unterbrechung"),
    "rule.R2.over": ("R2: no stall over {seconds} s", "R2: keine Unterbrechung über {seconds} s"),
    "rule.R3": ("R3: page visible and focused", "R3: Seite sichtbar und im Fokus"),
    "rule.R4": ("R4: watched before each answer", "R4: vor jeder Antwort zugesehen"),
    "rule.R5": ("R5: kept the time limit", "R5: Zeitgrenze eingehalten"),
    "rule.R6": ("R6: control videos answered correctly", "R6: Kontrollvideos richtig beantwortet"),
    "rule.R7": ("R7: control questions answered correctly", "R7: Kontrollfragen richtig beantwortet"),
    "rule.R8": ("R8: videos shown large enough", "R8: Videos groß genug gezeigt"),
    "rule.R9": ("R9: enough time for all videos", "R9: genug Zeit für alle Videos"),
    "otherwise.beyond_quota": ("over quota", "über der Quote"),
    "otherwise.not_shown": ("too many videos did not play", "zu viele Videos nicht abspielbar"),
    "otherwise.nothing_rated": ("skipped all trials", "alle Fragen übersprungen"),
    "otherwise.seen_before": ("restarted after watching videos", "neu begonnen, nachdem Videos gesehen waren"),
    "otherwise.restarted": ("restarted", "neu begonnen"),
    # groups
    "groups.title": ("Groups of participants side by side", "Gruppen von Teilnehmenden nebeneinander"),
    "groups.how": (
        "Each mark is the mean opinion score of one group for a stack on a network, with its 95 % confidence "
        "interval. Groups that differ by the same amount everywhere use the scale differently; groups whose order of "
        "the stacks differs see different things.",
        "Jedes Zeichen ist die mittlere Bewertung einer Gruppe für einen Stack in einem Netz, mit ihrem "
        "95-%-Konfidenzintervall. Gruppen, die sich überall gleich stark unterscheiden, nutzen die Skala anders; "
        "Gruppen, bei denen sich die Reihenfolge der Stacks unterscheidet, sehen anderes.",
    ),
    "groups.offset": (
        "{second} minus {first}: {offset} points {interval} on {clips} clips that both rated; correlation of their "
        "MOS {r}.",
        "{second} minus {first}: {offset} Punkte {interval} bei {clips} Clips, die beide bewertet haben; Korrelation "
        "ihrer MOS {r}.",
    ),
    # multiverse
    "multiverse.title": (
        "Effect of {hypothesis}, {network}, under each combination of rules that exclude",
        "Effekt von {hypothesis}, {network}, bei jeder Kombination der Regeln, die ausschließen",
    ),
    "multiverse.same": ("verdict as with the study's rules", "Urteil wie mit den Regeln der Studie"),
    "multiverse.other": ("another verdict", "anderes Urteil"),
    "multiverse.plan": ("the study's rules", "Regeln der Studie"),
    "multiverse.said": (
        "Over {cells} combinations of rules ({sets} different sets of sessions), the estimate ranges from {low} to "
        "{high}; with the study's rules it is {plan}. {same} combinations give the same verdict.",
        "Über {cells} Kombinationen der Regeln ({sets} verschiedene Mengen von Sitzungen) reicht der Schätzwert von "
        "{low} bis {high}; mit den Regeln der Studie ist er {plan}. {same} Kombinationen ergeben dasselbe Urteil.",
    ),
    "multiverse.how": (
        "Each column is one combination of rules; a tick below means that sessions that break this rule are "
        "excluded. The upper part shows the estimates with their intervals, from low to high. If all columns "
        "look alike, the answer does not depend on who is excluded. The diamond is the result with the study's own "
        "rules.",
        "Jede Spalte ist eine Kombination von Regeln; ein Strich unten bedeutet, dass Sitzungen, die diese Regel "
        "verletzen, ausgeschlossen sind. Oben steht der Schätzwert mit seinem Intervall, vom niedrigsten zum "
        "höchsten. Sehen alle Spalten gleich aus, hängt die Antwort nicht davon ab, wer ausgeschlossen wird. Die "
        "Raute ist das Ergebnis mit den Regeln der Studie.",
    ),
    # headings of tables whose rows declare none
    "column.from": ("{head} from", "{head} von"),
    "column.to": ("{head} to", "{head} bis"),
    "column.step": ("step", "Schritt"),
    "column.label": ("meaning", "Bedeutung"),
    "column.count": ("remaining", "übrig"),
    "column.broken": ("violations", "Verstöße"),
    "column.unknown": ("unknown", "unbekannt"),
    "column.asked": ("asked", "gefragt"),
}


@dataclass(frozen=True)
class Words:
    """The words and numbers of one language."""

    language: Language = "en"

    def __call__(self, key: str, **values: str | int) -> str:
        """Returns the text of the key with its values filled in; raises KeyError for an unknown key."""
        return TEXTS[key][LANGUAGES.index(self.language)].format(**values)

    def known(self, key: str, otherwise: str) -> str:
        """Returns the text of a key that depends on data, or else these words."""
        return self(key) if key in TEXTS else otherwise

    def reason(self, stored: Reason) -> str:
        """Returns why a value is unknown, without a full stop."""
        if self.language == "en":
            return str(stored)
        values = {
            name: self.decimal(value) if isinstance(value, float) else str(value)
            for name, value in stored.values.items()
        }
        return SENTENCES[stored.code][LANGUAGES.index(self.language)].format(**values)

    def decimal(self, value: float | None, digits: int = 2) -> str:
        return numbers.decimal(value, digits, self.language)

    def signed(self, value: float | None, digits: int = 2) -> str:
        return numbers.signed(value, digits, self.language)

    def percent(self, value: float | None) -> str:
        return numbers.percent(value, self.language)

    def plain(self, value: float) -> str:
        return numbers.plain(value, self.language)

    def level(self, value: float) -> str:
        return numbers.level(value, self.language)

    def interval(self, low: float | None, high: float | None, digits: int = 2) -> str:
        """Formats [4.20, 4.60], with a semicolon where the comma is decimal; empty where unknown."""
        if low is None or high is None:
            return ""
        return f"[{self.decimal(low, digits)}{self.between}{self.decimal(high, digits)}]"

    @property
    def between(self) -> str:
        """The separator between the ends of an interval: a semicolon where the comma is decimal."""
        return ", " if self.language == "en" else "; "
