"""Reads the options of a bench: one for each field of its dataclass, with the field's default."""

import argparse
from dataclasses import fields
from typing import TypeVar

T = TypeVar("T")


def positive(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"{text} is below 1")
    return value


def parsed(options: type[T], *, prog: str, doc: str | None) -> T:
    """The options on the command line; whole numbers are positive, booleans are flags.

    `doc`: its first line is the description.
    """
    parser = argparse.ArgumentParser(prog=prog, description=(doc or "").partition("\n")[0])
    for field in fields(options):  # type: ignore[arg-type]  # it is a dataclass
        name = f"--{field.name.replace('_', '-')}"
        if isinstance(field.default, bool):
            parser.add_argument(name, action="store_true")
            continue
        kind = positive if isinstance(field.default, int) else float
        parser.add_argument(name, type=kind, default=field.default)
    return options(**vars(parser.parse_args()))
