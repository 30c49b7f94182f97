"""Version number of the format of stored data: tables, files and folders.

It increases by one with every change that an earlier version of the program cannot read. `docs/guides/upgrade.md` has
the history.
"""

DATA_VERSION = 5
