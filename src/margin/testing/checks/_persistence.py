"""A fitted model survives being stored."""

import copy
import pickle
from typing import Any

from margin.testing._outputs import assert_same
from margin.testing._samples import fitted, sample_for


def check_pickle(name: str, estimator: Any) -> None:
    """A fitted model answers the same, to the last bit, after pickling and copying."""
    X, y, _ = sample_for(estimator)
    model = fitted(estimator, X, y)
    for what, again in (
        ("pickle", pickle.loads(pickle.dumps(model))),
        ("deepcopy", copy.deepcopy(model)),
    ):
        assert_same(model, again, X, f"{name} after {what}")
        assert repr(model) == repr(again)
        assert vars(model).keys() == vars(again).keys()


def check_skops(name: str, estimator: Any) -> None:
    """A fitted model answers the same after skops, trusting types of its own package only."""
    import skops.io

    X, y, _ = sample_for(estimator)
    model = fitted(estimator, X, y)
    stored = skops.io.dumps(model)
    asked = skops.io.get_untrusted_types(data=stored)
    own = ("margin", type(estimator).__module__.split(".")[0])
    foreign = [t for t in asked if t.split(".")[0] not in own]
    assert not foreign, f"{name}: a stored model asks to trust {foreign}"
    again = skops.io.loads(stored, trusted=asked)
    assert_same(model, again, X, f"{name} after skops")
    assert vars(model).keys() == vars(again).keys()
    if hasattr(model, "fit_report_"):
        assert repr(model.fit_report_) == repr(again.fit_report_)
        assert model.fit_report_.status is again.fit_report_.status


def check_refit_forgets(name: str, estimator: Any) -> None:
    """A model fitted again knows nothing of the first fit."""
    X, y, _ = sample_for(estimator, n=50, p=3, seed=1)
    model = fitted(estimator, X, y)
    second = sample_for(estimator, n=40, p=5, seed=2)
    model.fit(second.X) if second.y is None else model.fit(second.X, second.y)
    fresh = fitted(estimator, second.X, second.y)
    assert_same(model, fresh, second.X, f"{name} fitted twice")
    left = vars(model).keys() - vars(fresh).keys()
    assert not left, f"{name} remembers {sorted(left)} of an earlier fit"
