import os
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """
import os
from benchmarks import threads
threads.limit(1)
print(os.environ["OMP_NUM_THREADS"], len(os.sched_getaffinity(0)))
"""


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="no affinity on this system")
def test_the_limit_reaches_the_environment_and_the_processors():
    root = Path(__file__).resolve().parents[2]
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], cwd=root, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["1", "1"]
