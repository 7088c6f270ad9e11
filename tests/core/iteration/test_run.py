import pytest

from margin.core import Iterate, Stop
from margin.core.iteration._run import Run


def test_iterates_are_values():
    at = Iterate(1.0, 2.0)
    with pytest.raises(AttributeError):
        at.x = 3.0
    with pytest.raises(TypeError):
        at.extras["key"] = 1


def test_a_closer_look_is_judged_but_not_recorded():
    called = []
    run = Run(Stop("gap", 0.1, 9, keep="last"), lambda *seen: called.append(seen))
    assert not run.see(Iterate(0.0, 3.0, None, 0))
    assert not run.see(Iterate(0.0, 2.0, None, 1))
    assert run.see(Iterate(0.0, 1.5, 0.05, 1))
    assert (run.objectives, called) == ([3.0, 2.0], [(1, 2.0)])
    assert run.best.objective == 1.5
