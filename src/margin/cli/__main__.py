"""``python -m margin.cli``."""

import sys

from margin.cli import main

if __name__ == "__main__":
    sys.exit(main())
