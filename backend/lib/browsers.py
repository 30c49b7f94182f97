"""Kinds of browsers, so that no user agent has to be stored."""

import re

# the order matters, because the others also identify as Chrome and Safari
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
    """Name, major version and system of a browser, such as `Firefox 128, Linux`; `other` for unknown parts."""
    browser = "other"
    for name, token in BROWSERS.items():
        if match := re.search(rf"\b(?:{token})/(\d{{1,3}})\b", user_agent):
            browser = f"{name} {match[1]}"
            break
    return f"{browser}, {next((name for name, token in SYSTEMS.items() if re.search(token, user_agent)), 'other')}"
