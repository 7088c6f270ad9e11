"""Lets the tests of this room and of the sequences find the oracles that they share."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
