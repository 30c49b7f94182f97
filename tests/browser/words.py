"""Texts of the participant's pages in English and German."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Words:
    """Labels of one language; `scores` from 1 to 7, `sureness` from 1 to 5."""

    language: str
    agree: str
    begin: str
    about_you: str
    go_on: str
    how_it_works: str
    in_between: str
    video_of: str
    start: str
    replay: str
    rate_question: str
    scores: tuple[str, ...]
    compare_question: str
    choices: dict[str, str]
    how_sure: str
    sureness: tuple[str, ...]
    next: str
    kept_here: str
    new_situation: str
    wider: str
    skip: str
    sending: str
    thanks: str
    welcome_back: str
    somebody_else: str
    leave: str


ENGLISH = Words(
    language="en",
    agree="I have read this and agree to take part.",
    begin="Begin",
    about_you="A few questions about you",
    go_on="Continue",
    how_it_works="How it works",
    in_between="A quick question",
    video_of="Video {number} of {total}",
    start="Start video",
    replay="Replay Video",
    rate_question="How satisfying was the speed of the loading process to you?",
    scores=("extremely bad", "bad", "poor", "fair", "good", "excellent", "ideal"),
    compare_question="Which website loaded faster for you?",
    choices={"left": "Left", "right": "Right", "none": "I see no difference"},
    how_sure="How sure are you?",
    sureness=("not sure at all", "slightly sure", "moderately sure", "quite sure", "very sure"),
    next="Next",
    kept_here="Your answers are stored on this device and will be sent as soon as you are online again.",
    new_situation="A new situation",
    wider="A larger window is needed",
    skip="Skip",
    sending="Sending your last answers …",
    thanks="Thank you!",
    welcome_back="Welcome back",
    somebody_else="Take part as another person",
    leave="Discard that session and start again",
)

GERMAN = Words(
    language="de",
    agree="Ich habe dies gelesen und möchte teilnehmen.",
    begin="Beginnen",
    about_you="Einige Fragen zu Ihrer Person",
    go_on="Weiter",
    how_it_works="So funktioniert es",
    in_between="Eine kurze Frage",
    video_of="Video {number} von {total}",
    start="Video starten",
    replay="Video wiederholen",
    rate_question="Wie zufriedenstellend war für Sie die Geschwindigkeit des Ladevorgangs?",
    scores=("extrem schlecht", "schlecht", "dürftig", "ordentlich", "gut", "ausgezeichnet", "ideal"),
    compare_question="Welche Website hat für Sie schneller geladen?",
    choices={"left": "Links", "right": "Rechts", "none": "Ich sehe keinen Unterschied"},
    how_sure="Wie sicher sind Sie?",
    sureness=(
        "überhaupt nicht sicher",
        "wenig sicher",
        "mittelmäßig sicher",
        "ziemlich sicher",
        "sehr sicher",
    ),
    next="Weiter",
    kept_here="Ihre Antworten sind auf diesem Gerät gespeichert und werden gesendet, sobald Sie wieder online sind.",
    new_situation="Eine neue Situation",
    wider="Ein größeres Fenster ist nötig",
    skip="auslassen",
    sending="Ihre letzten Antworten werden gesendet …",
    thanks="Vielen Dank!",
    welcome_back="Willkommen zurück",
    somebody_else="Als andere Person teilnehmen",
    leave="Diese Sitzung verwerfen und neu beginnen",
)

WORDS = {words.language: words for words in (ENGLISH, GERMAN)}
