"""Arguments that disable Chromium's own network traffic.

In a capture's closed namespace such requests would fail, and in a recording they do not belong to the page.
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
    # internal pages of the address bar, which a kiosk does not show; they used 0.4 s of a processor during the load
    "WebUIOmniboxAimPopup",
    "WebUIOmniboxPopup",
]
