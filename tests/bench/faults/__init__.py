"""The fault bench: participants whose network and server fail, and a ledger of their own that must agree in the end."""
