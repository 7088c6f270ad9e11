"""Lets the tests of this room find the networks that they share."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
