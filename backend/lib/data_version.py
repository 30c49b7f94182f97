"""The number of the form in which this program keeps data: its tables, files and folders.

It grows by one with every change that an earlier program could not read. `docs/guides/upgrade.md` has the history.
"""

DATA_VERSION = 4
