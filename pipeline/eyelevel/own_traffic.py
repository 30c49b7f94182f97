"""Arguments that keep Chromium from fetching anything for itself.

In a capture's closed namespace that can only fail, and in a recording it is not the page's.
"""

OWN_TRAFFIC_OFF = [
    "--disable-background-networking",
    "--disable-breakpad",
    "--disable-client-side-phishing-detection",
    "--disable-component-extensions-with-background-pages",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-domain-reliability",
    "--disable-extensions",
    "--disable-field-trial-config",
    "--disable-search-engine-choice-screen",
    "--disable-sync",
    "--metrics-recording-only",
    "--no-default-browser-check",
    "--no-first-run",
    "--no-pings",
    "--no-service-autorun",
    "--password-store=basic",
    "--safebrowsing-disable-auto-update",
    "--use-mock-keychain",
    "--enable-features=SkipListAccountsWithoutGaiaCookies",
]
FEATURES_OFF = [
    "AimEnabled",
    "AutofillServerCommunication",
    "CertificateTransparencyComponentUpdater",
    "DialMediaRouteProvider",
    "GlobalMediaControls",
    "InterestFeedContentSuggestions",
    "MediaRouter",
    "NetworkTimeServiceQuerying",
    "OptimizationHints",
    "PreconnectToSearch",
    "Translate",
    # pages of its own behind the address bar, which no kiosk shows: they took 0.4 s of a processor as the page loaded
    "WebUIOmniboxAimPopup",
    "WebUIOmniboxPopup",
]
