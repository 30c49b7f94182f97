"""The platform's management commands, with their arguments; Django is set up in a process of its own.

`python tests/docs/management_commands.py` prints them as JSON.
"""

import json
import os
import subprocess
import sys
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
BACKEND = REPOSITORY / "backend"


@dataclass(frozen=True)
class Argument:
    names: tuple[str, ...]
    metavar: str
    help: str
    default: str

    @property
    def shown(self) -> str:
        return ", ".join(self.names) + (f" {self.metavar}" if self.metavar else "") if self.names else self.metavar


@dataclass(frozen=True)
class Management:
    name: str
    help: str
    arguments: tuple[Argument, ...]
    options: tuple[Argument, ...]

    @classmethod
    def read(cls, name: str, help: str, arguments: list[dict[str, str]]) -> "Management":  # noqa: A002 - the field
        every = tuple(
            Argument(tuple(argument["names"]), argument["metavar"], argument["help"], argument["default"])
            for argument in arguments
        )
        return cls(name, help, tuple(argument for argument in every if not argument.names), every)


@cache
def management_commands() -> tuple[Management, ...]:
    env = os.environ | {"PYTHONPATH": os.pathsep.join((str(REPOSITORY / "pipeline"), str(BACKEND)))}
    done = subprocess.run([sys.executable, __file__], env=env, capture_output=True, text=True, check=True)
    return tuple(Management.read(**command) for command in json.loads(done.stdout))


def main() -> None:
    os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
    import django
    from django.core.management import get_commands, load_command_class
    from django.core.management.base import BaseCommand, DjangoHelpFormatter

    django.setup()
    found = []
    for name, app in sorted(get_commands().items()):
        if not isinstance(app, str) or not (BACKEND / app).is_dir():
            continue
        command: BaseCommand = load_command_class(app, name)
        parser = command.create_parser("manage.py", name)
        actions = [
            action
            for action in parser._actions
            if not DjangoHelpFormatter.show_last & {*action.option_strings} and "--help" not in action.option_strings
        ]
        arguments = [
            Argument(
                tuple(action.option_strings),
                "" if action.nargs == 0 else str(action.metavar or action.dest.upper()),
                (action.help or "").replace(" (default %(default)s)", "") + _choices(action.choices),
                "required" if action.required and action.option_strings else _default(action.default),
            )
            for action in actions
        ]
        found.append({"name": name, "help": command.help, "arguments": [asdict(argument) for argument in arguments]})
    sys.stdout.write(json.dumps(found))


def _choices(choices: object) -> str:
    return f": {', '.join(f'`{choice}`' for choice in choices)}" if isinstance(choices, list | tuple) else ""


def _default(default: object) -> str:
    return "" if default in (None, False, "==SUPPRESS==") else str(default)


if __name__ == "__main__":
    main()
