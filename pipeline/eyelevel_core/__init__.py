"""The typed core that pipeline and backend share: contracts, studies, assignment. No Django, browser or process."""
