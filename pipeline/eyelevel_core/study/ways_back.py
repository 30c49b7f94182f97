"""Checks the codes and addresses by which participants are sent back to a recruiter."""

import re
from collections.abc import Iterable, Iterator
from urllib.parse import unquote

from eyelevel_core.contracts.sentences import Problem, Where
from eyelevel_core.study.design import Group
from eyelevel_core.study.recruiter import CODE, EARNED, ID, OTHER, PLACEHOLDER, UNEARNED, Recruiter


def of_recruiters(groups: Iterable[Group]) -> Iterator[Problem]:
    """Yields each problem of a group's recruiter, with its place."""
    for number, group in enumerate(groups):
        if group.recruiter is not None:
            where: Where = ("groups", number, "recruiter")
            yield from _of_addresses(where, group.recruiter)
            yield from _of_earned(where, group.recruiter)


def _of_addresses(where: Where, recruiter: Recruiter) -> Iterator[Problem]:
    addresses: list[tuple[Where, str]] = [((*where, "returns", end), url) for end, url in recruiter.returns.items()]
    if recruiter.return_url is not None:
        addresses.append(((*where, "return_url"), recruiter.return_url))
    for at, url in addresses:
        host = re.split("[/?#]", url.removeprefix("https://"), maxsplit=1)[0]
        if "{" in host:
            says = f"has a placeholder in its host, {host}, so a link could lead anywhere; write the host in full."
            yield Problem(at, says)
        if left := re.search(r"[{}]", PLACEHOLDER.sub("", url)):
            says = f"has a {left[0]} that belongs to no {{code}}, {{id}} or {{PARAMETER}} of the link; delete it."
            yield Problem(at, says)
    with_code = {"completed", *recruiter.codes, *(UNEARNED if OTHER in recruiter.codes else ())}
    for end, url in recruiter.returns.items():
        if CODE in url and end not in with_code:
            yield Problem((*where, "returns", end), f"contains {{code}}, but codes has none for {end}; add it.")


def _of_earned(where: Where, recruiter: Recruiter) -> Iterator[Problem]:
    """Checks that the public ways back do not reveal those of participants who complete the study.

    The ways back are compared as they are sent, with their codes filled in.
    """
    earned = [recruiter.way_back(end) for end in EARNED]
    secrets = [text for way in earned for text in (way.code, way.url) if text is not None]
    for end in UNEARNED:
        public = recruiter.way_back(end)
        for name, entries, shown in (
            ("codes", recruiter.codes, public.code),
            ("returns", recruiter.returns, public.url),
        ):
            secret = next((text for text in secrets if shown is not None and _reveals(shown, text, recruiter)), None)
            if secret is not None:
                key = next((key for key in (end, OTHER) if key in entries), None)
                place: Where = ("return_url",) if key is None else (name, key)
                sentence = f"shows {shown} to everybody, but only participants who complete the study may read {secret}"
                codes = [] if name == "codes" else [(*where, "codes", ending) for ending in (end, OTHER)]
                yield Problem((*where, *place), f"{sentence}; use another code or URL.", because=codes)


def _reveals(shown: str, secret: str, recruiter: Recruiter) -> bool:
    """Whether the two codes or URLs are the same, or one is a code that the other contains as a whole word."""
    by_name = "{" + recruiter.id_parameter + "}"
    shown, secret = shown.replace(by_name, ID), secret.replace(by_name, ID)
    return shown == secret or _contains(shown, secret) or _contains(secret, shown)


def _contains(text: str, code: str) -> bool:
    """Whether the text contains the code; of a URL, what follows its host."""
    value = unquote(PLACEHOLDER.sub("", re.sub("^https://[^/?#]*", "", text)))
    return re.search(rf"(?<![A-Za-z0-9]){re.escape(code)}(?![A-Za-z0-9])", value) is not None
