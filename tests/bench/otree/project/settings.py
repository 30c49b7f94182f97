"""An oTree project of one app, for the bench."""

from os import environ

SESSION_CONFIGS = [{"name": "seven", "app_sequence": ["seven"], "num_demo_participants": 1}]
SESSION_CONFIG_DEFAULTS = {"real_world_currency_per_point": 1.0, "participation_fee": 0.0, "doc": ""}
PARTICIPANT_FIELDS: list[str] = []
SESSION_FIELDS: list[str] = []
LANGUAGE_CODE = "en"
REAL_WORLD_CURRENCY_CODE = "EUR"
USE_POINTS = True
ADMIN_USERNAME = "admin"
ADMIN_PASSWORD = environ["OTREE_ADMIN_PASSWORD"]
SECRET_KEY = environ["OTREE_SECRET_KEY"]
