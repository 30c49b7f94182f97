"""Bodies of the API about payment."""

from dataclasses import dataclass
from typing import Literal

from ninja import Schema
from pydantic import Field

from eyelevel_core.tables import Language
from lib.bodies import ALL_SENT
from payment.books import Entry
from payment.lists import MAX_ROWS, File

# the limit of all bodies except those of batches
MAX_TEXT = 2**20


class ListIn(Schema):
    """A recruiter's list of submissions as CSV. `person`, `submission` and `code` name columns of format `other`.

    With the origin `all`, simulated participants with a made-up id also count, to rehearse payment. `lang` is the
    language of explanations.
    """

    group: str
    format: Literal["prolific", "mturk", "other"]
    text: str = Field(max_length=MAX_TEXT)
    person: str = ""
    submission: str = ""
    code: str = ""
    origin: Literal["person", "all"] = "person"
    lang: Language = "en"


@dataclass(frozen=True)
class EntryOut(Entry):
    """The action for a submission, or for an accepted person without a submission in the list.

    `explanation` is the text of `why`, with advice if the action is `decide`.
    """

    __pydantic_config__ = ALL_SENT

    explanation: str = ""


@dataclass(frozen=True)
class FileOut(File):
    """A file to import at the recruiter."""


class BooksOut(Schema):
    """Comparison of list and study. `actions` counts the entries by action; `files` are for import at the recruiter."""

    entries: list[EntryOut]
    actions: dict[str, int]
    files: list[FileOut]


class ProlificIn(Schema):
    """`study_id` is the study's ID at Prolific; `token` is used for this call and never stored.

    `approve` and `ask_to_return` are submissions from an earlier response that a person has confirmed; if both are
    empty, nothing is changed.
    """

    group: str
    study_id: str = Field(max_length=64)
    token: str = Field(min_length=1, max_length=512)
    approve: list[str] = Field(default_factory=list, max_length=MAX_ROWS)
    ask_to_return: list[str] = Field(default_factory=list, max_length=MAX_ROWS)
    lang: Language = "en"


class AppliedOut(Schema):
    """Changes made at Prolific; `failed` are submissions for which Prolific rejected the request."""

    approved: int
    asked_to_return: int
    failed: list[str]


class ProlificOut(BooksOut):
    """`approve` and `ask_to_return`: submissions due for these actions; `applied`: null if nothing was confirmed."""

    approve: list[str]
    ask_to_return: list[str]
    applied: AppliedOut | None
