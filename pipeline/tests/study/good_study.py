"""A study file without faults, and the faults that edits of it bring."""

from collections.abc import Sequence

from eyelevel.study.clips_of_batch import Batch
from eyelevel_core.assignment.selection import read_over_batch
from eyelevel_core.study.file import read_study_file
from eyelevel_core.study.parse import StudyError

Edit = tuple[str, str]
GOOD = """\
contract: eyelevel/study/1
name: first
seed: 1
languages: [en]
title: {en: How fast does a website feel?}
contact: me@example.org
consent:
  version: "1"
  text: {en: I take part voluntarily.}
batch: small
contexts:
  - key: work
    label: {en: at work}
    networks: [DSL, LTE]
trials:
  - kind: rate
    count: 4
    training: 0
    sites: [alpha, beta]
    stacks: [TCP+, QUIC]
  - kind: compare
    count: 2
    training: 0
    pairs: [[TCP+, QUIC]]
groups:
  - key: paid
    quota: {sessions: 40}
plan:
  hypotheses:
    - key: H1
      says: QUIC is better.
      kind: rate
      pair: [TCP+, QUIC]
      networks: each
      over: [DSL]
      expects: higher
  looks: {at: [20]}
"""


def faults(edits: Sequence[Edit], batch: Batch | None) -> list[str]:
    """The sentences about the edited file, over a batch if one is given."""
    text = GOOD
    for old, new in edits:
        assert old in text
        text = text.replace(old, new, 1)
    try:
        if batch is None:
            read_study_file(text, source="study.yaml")
        else:
            read_over_batch(text, source="study.yaml", clips_of=lambda _name: batch.clips)
    except StudyError as error:
        return str(error).splitlines()
    return []
