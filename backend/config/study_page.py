"""Serves a study's page with the consent's text and the invitation in the document, so that people read at once.

The text needs no script, and the page's script asks for nothing that the document has brought. The data are in a
`<script type="application/json">`, which no browser executes, so that the Content Security Policy stays as it is.
"""

import logging
import re
from collections.abc import Mapping, Sequence
from http import HTTPStatus

from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse
from django.utils.html import escape, json_script
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from config.views import built_page
from ratings.cookies import cookie_name
from ratings.presentation import invitation
from ratings.recruitment import count_missing_id, usable_id
from ratings.schemas import Invitation
from studies.models import Fielding

log = logging.getLogger(__name__)
LANGUAGES = ("en", "de")
# an address that a person typed, or a link of ours: the browser sends even its strictest cookies with it
WITH_COOKIES = ("none", "same-origin")


# the page has no secret that its compressed length could tell
@require_safe
@gzip_page
def study_page(request: HttpRequest, slug: str, *, preview: bool = False) -> HttpResponse:
    response = built_page("study.html")
    if response.status_code != HTTPStatus.OK:
        return response
    try:
        fielding = Fielding.objects.select_related("study").filter(slug=slug).first()
        study = invitation(fielding) if fielding is not None else None
    except DatabaseError:
        # a database that is being started again: the page asks until it answers
        fielding = study = None
    # a browser's copy would say for ever that nobody has begun here
    response["Cache-Control"] = "no-store"
    if fielding is not None and study is not None:
        if not preview:
            _note_missing_id(fielding, study, request)
        response.content = filled(response.text, study, request, slug=slug, preview=preview).encode()
    return response


def filled(page: str, study: Invitation, request: HttpRequest, *, slug: str, preview: bool) -> str:
    """The document with the study's data and, for somebody who is likely to be new, the consent's text."""
    has_cookie = cookie_name(slug, preview=preview) in request.COOKIES
    shown = not has_cookie and (preview or (study.state == "open" and not _lacks_id(study, request)))
    data = {
        "slug": slug,
        "invitation": study.dict(),
        "is_new": not has_cookie and request.headers.get("Sec-Fetch-Site") in WITH_COOKIES,
        "shown": shown,
    }
    language = language_of(request.headers.get("Accept-Language", ""), study.languages)
    title = text_in(study.title, language)
    page = page.replace('<html lang="en">', f'<html lang="{language}">')
    page = page.replace("<title>Eyelevel</title>", f"<title>{escape(title)}</title>")
    body = consent(title, text_in(study.consent.text, language)) if shown else ""
    root = f'<div id="root">{body}</div>{json_script(data, "delivered")}'
    return page.replace('<div id="root"></div>', root)


def _lacks_id(study: Invitation, request: HttpRequest) -> bool:
    recruiter = study.recruiter
    return recruiter is not None and usable_id(request.GET.getlist(recruiter.id_parameter)) is None


def _note_missing_id(fielding: Fielding, study: Invitation, request: HttpRequest) -> None:
    """Count who cannot begin because the link lacks the recruiter's id: a warning for the researcher."""
    if study.recruiter is None or study.state != "open" or not _lacks_id(study, request):
        return
    # a browser that prepares for a visit; a participant who is back; somebody who looks at their own study
    is_visit = request.method == "GET" and not request.headers.get("Sec-Purpose", "").startswith("prefetch")
    if not is_visit or cookie_name(fielding.slug) in request.COOKIES or request.user.is_authenticated:
        return
    try:
        count_missing_id(fielding, study.recruiter.id_parameter)
    except DatabaseError:
        log.exception("A visit without %s is not counted", study.recruiter.id_parameter)


def consent(title: str, text: str) -> str:
    """The head of the page of consent, as frontend/src/features/participate/arrival/ConsentPage.tsx shows it."""
    paragraphs = "".join(f"<p>{escape(paragraph)}</p>" for paragraph in paragraphs_of(text))
    return (
        '<div class="participant participant--text"><header class="participant__head"></header>'
        f'<main class="participant__main"><h1>{escape(title)}</h1><p class="facts">&nbsp;</p>'
        f'<div class="prose">{paragraphs}</div></main></div>'
    )


def paragraphs_of(text: str) -> list[str]:
    """Blank lines part paragraphs; where there are none, line ends do: as in frontend/src/shared/ui/text.tsx."""
    parts = re.split(r"\n[^\S\n]*\n\s*", text.strip())
    return parts if len(parts) > 1 else text.strip().split("\n")


def language_of(accepted: str, offered: Sequence[str]) -> str:
    """The browser's first language that the pages have, else English; the study's first where it lacks that one."""
    tags = [part.split(";")[0].strip()[:2].lower() for part in accepted.split(",")]
    wanted = next((tag for tag in tags if tag in LANGUAGES), LANGUAGES[0])
    return wanted if wanted in offered else offered[0]


def text_in(text: Mapping[str, str], language: str) -> str:
    return text.get(language) or next(iter(text.values()))
