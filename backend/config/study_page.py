"""Serves a study's page with consent text and invitation in the document, so that people can read immediately.

The text needs no script, and the page's script does not request data that the document contains. The data are in a
`<script type="application/json">`, which browsers do not execute, so the Content Security Policy needs no exception.
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
from ratings import problems_shown
from ratings.cookies import cookie_name
from ratings.presentation import invitation
from ratings.recruitment import MISSING_ID, usable_id
from ratings.schemas import Invitation
from studies.models import Fielding

log = logging.getLogger(__name__)
LANGUAGES = ("en", "de")
# a typed address, or a link of this site: the browser sends cookies with SameSite=Strict too
WITH_COOKIES = ("none", "same-origin")


# the page contains no secret that its compressed length could reveal
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
        # a database that is restarting: the page retries until it answers
        fielding = study = None
    # a cached copy would show a returning participant the state of a first visit
    response["Cache-Control"] = "no-store"
    if fielding is not None and study is not None:
        if not preview:
            _note_missing_id(fielding, study, request)
        response.content = filled(response.text, study, request, slug=slug, preview=preview).encode()
    return response


def filled(page: str, study: Invitation, request: HttpRequest, *, slug: str, preview: bool) -> str:
    """Fill the document with the study's data and, for a visitor who is probably new, the consent text."""
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
    """Count a visit that cannot begin because the link lacks the recruiter's id, as a warning for the researcher."""
    if study.recruiter is None or study.state != "open" or not _lacks_id(study, request):
        return
    # not counted: prefetches, returning participants, and users with an account who view a study
    is_visit = request.method == "GET" and not request.headers.get("Sec-Purpose", "").startswith("prefetch")
    if not is_visit or cookie_name(fielding.slug) in request.COOKIES or request.user.is_authenticated:
        return
    try:
        problems_shown.count_code(fielding, MISSING_ID)
    except DatabaseError:
        log.exception("A visit without %s could not be counted", study.recruiter.id_parameter)


def consent(title: str, text: str) -> str:
    """The top of the consent page, with the markup of frontend/src/features/participate/arrival/ConsentPage.tsx."""
    paragraphs = "".join(f"<p>{escape(paragraph)}</p>" for paragraph in paragraphs_of(text))
    return (
        '<div class="participant participant--text"><header class="participant__head"></header>'
        f'<main class="participant__main"><h1>{escape(title)}</h1><p class="facts">&nbsp;</p>'
        f'<div class="prose">{paragraphs}</div></main></div>'
    )


def paragraphs_of(text: str) -> list[str]:
    """Split a text into paragraphs at blank lines, or else at line ends, as in frontend/src/shared/ui/text.tsx."""
    parts = re.split(r"\n[^\S\n]*\n\s*", text.strip())
    return parts if len(parts) > 1 else text.strip().split("\n")


def language_of(accepted: str, offered: Sequence[str]) -> str:
    """The browser's preferred language among those of the pages, else English; the study's first if it lacks that."""
    tags = [part.split(";")[0].strip()[:2].lower() for part in accepted.split(",")]
    wanted = next((tag for tag in tags if tag in LANGUAGES), LANGUAGES[0])
    return wanted if wanted in offered else offered[0]


def text_in(text: Mapping[str, str], language: str) -> str:
    return text.get(language) or next(iter(text.values()))
