"""Management commands of the platform, e.g. `python manage.py migrate`."""

import os
import sys
from pathlib import Path


def main() -> None:
    # callable from any folder
    sys.path.insert(0, str(Path(__file__).resolve().parent))
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    from django.core.management import execute_from_command_line  # noqa: PLC0415 - settings first

    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
