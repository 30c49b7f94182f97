"""Kinds of browsers, so that no user agent has to be stored."""

import re

# in this order: the others call themselves Chrome and Safari, too
BROWSERS = {
    "Edge": "Edg(?:A|iOS)?",
    "Opera": "OPR",
    "Samsung Internet": "SamsungBrowser",
    "Firefox": "Firefox|FxiOS",
    "Chrome": "(?:Headless)?Chrome|CriOS",
    "Safari": "Version",
}
SYSTEMS = {
    "Android": "Android",
    "iOS": "iPhone|iPad",
    "Windows": "Windows",
    "macOS": "Mac OS X",
    "ChromeOS": "CrOS",
    "Linux": "Linux",
}


def browser_of(user_agent: str) -> str:
    """Name, major version and system of a browser, such as `Firefox 128, Linux`; what is unknown is `other`."""
    browser = "other"
    for name, token in BROWSERS.items():
        if found := re.search(rf"\b(?:{token})/(\d{{1,3}})\b", user_agent):
            browser = f"{name} {found[1]}"
            break
    return f"{browser}, {next((name for name, token in SYSTEMS.items() if re.search(token, user_agent)), 'other')}"
