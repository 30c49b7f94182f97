"""`manage.py openapi > docs/contracts/openapi.json`: prints the OpenAPI document."""

import json
from typing import Any

from django.core.management.base import BaseCommand

from config.api import api


class Command(BaseCommand):
    help = "Print the OpenAPI document."
    requires_system_checks = ()

    def handle(self, *_args: Any, **_options: Any) -> None:
        self.stdout.write(json.dumps(api.get_openapi_schema(), indent=2, sort_keys=True, ensure_ascii=False))
