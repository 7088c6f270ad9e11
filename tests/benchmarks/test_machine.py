import json
from datetime import datetime

import numpy as np

from benchmarks import machine


def test_the_description_is_plain_and_complete():
    described = machine.describe(threads=2, repeats=5)
    assert json.loads(json.dumps(described)) == described
    assert described["versions"]["numpy"] == np.__version__
    assert datetime.fromisoformat(described["date"]).tzinfo is not None
    assert described["processors"] >= 1
    assert (described["threads"], described["repeats"]) == (2, 5)


def test_a_distribution_that_is_not_installed_has_no_version(monkeypatch):
    monkeypatch.setattr(machine, "DISTRIBUTIONS", ("no-such-distribution",))
    assert machine.describe(2, 1)["versions"] == {"no-such-distribution": None}
