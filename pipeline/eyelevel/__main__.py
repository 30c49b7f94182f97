"""`python -m eyelevel`."""

from eyelevel.cli import main

if __name__ == "__main__":
    main()
