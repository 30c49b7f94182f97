"""Default instructions for participants, for a study file that has none."""

INSTRUCTIONS = {
    "en": "You will see short videos of websites while they load. Imagine that you opened the page yourself. "
    "After each video we ask you about the speed of loading. There are no right or wrong answers.",
    "de": "Sie sehen kurze Videos von Websites, während diese geladen werden. Stellen Sie sich vor, Sie hätten "
    "die Seite selbst aufgerufen. Nach jedem Video fragen wir Sie nach der Geschwindigkeit des Ladens. Richtige oder "
    "falsche Antworten gibt es nicht.",
}
