"""Threads, seen from outside: the same bits for any number, from several callers, after a fork.

The compiled loops are told that any work is enough for threads, or small tables would have none.
"""

import os
import pickle
import select
import signal
import threading
import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import get_tags

from margin.graphical import BayesianNetwork
from margin.native import _native
from margin.sequence import (
    AutoRegression,
    CategoricalHMM,
    DiscriminativeHMM,
    DynamicBayesianNetwork,
    MarkovChainMixture,
    PoissonHMM,
    StructuralTimeSeries,
    SwitchingAutoRegression,
    TimeVaryingAutoRegression,
    VariationalCategoricalHMM,
    VariationalPoissonHMM,
)
from margin.testing import all_estimators
from margin.testing._outputs import METHODS
from margin.testing._samples import sample_for

THREADED = [cls for _, cls in all_estimators() if "n_jobs" in cls().get_params(deep=False)]
OF_SYMBOLS = (
    CategoricalHMM,
    DiscriminativeHMM,
    DynamicBayesianNetwork,
    MarkovChainMixture,
    PoissonHMM,
    VariationalCategoricalHMM,
    VariationalPoissonHMM,
)
OF_NUMBERS = (
    AutoRegression,
    StructuralTimeSeries,
    SwitchingAutoRegression,
    TimeVaryingAutoRegression,
)
EVERY = pytest.mark.parametrize("cls", THREADED, ids=lambda cls: cls.__name__)


@pytest.fixture(autouse=True)
def threads_on_small_problems():
    usual = _native.set_least_work(0.0)
    yield
    _native.set_least_work(usual)


def table_for(model):
    if model.card.input != "categorical":
        X, y, _ = sample_for(model, n=90, p=5)
        if isinstance(model, OF_SYMBOLS):
            symbols = (X > 0).astype(float)
            return symbols[:, :1], symbols[:, 1] if isinstance(model, DiscriminativeHMM) else None
        return X[:, 0] if isinstance(model, OF_NUMBERS) else X, y
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 3, (90, 5))
    codes[:, 1] = codes[:, 0] ^ (rng.random(90) < 0.2)
    frame = pd.DataFrame(codes, columns=list("abcde"))
    supervised = get_tags(model).target_tags.required
    return frame, np.array(["no", "yes"])[codes[:, 0] % 2] if supervised else None


def fitted(cls, n_jobs):
    seed = {"random_state": 3} if "random_state" in cls().get_params(deep=False) else {}
    arcs = {"edges": [("a", "b"), ("c", "b"), *zip("cd", "de", strict=True)]}
    model = cls(n_jobs=n_jobs, **seed, **(arcs if cls is BayesianNetwork else {}))
    X, y = table_for(model)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return model.fit(X) if y is None else model.fit(X, y)


def answers(model):
    """Everything that is known of a model, as bytes: fitted arrays and numbers, predictions."""
    X, _ = table_for(model)
    given = {m: np.asarray(getattr(model, m)(X)) for m in METHODS if hasattr(model, m)}
    held = {k: v for k, v in vars(model).items() if k.endswith("_") and not k.startswith("_")}
    kept = {k: v for k, v in held.items() if isinstance(v, np.ndarray | float | int)}
    graph = getattr(model, "graph_", None)
    known = {**kept, **given, "edges": None if graph is None else graph.edges}
    return pickle.dumps(
        {k: v.tolist() if isinstance(v, np.ndarray) else v for k, v in known.items()}
    )


@EVERY
def test_the_same_bits_for_any_number_of_threads(cls):
    alone = answers(fitted(cls, 1))
    for n_jobs in (2, 3):
        assert answers(fitted(cls, n_jobs)) == alone, f"n_jobs={n_jobs}"


@EVERY
def test_fits_and_predictions_of_several_callers_at_once(cls):
    alone = answers(fitted(cls, 1))
    shared, ready, heard = fitted(cls, 2), threading.Barrier(4), []

    def call():
        ready.wait()
        heard.append(answers(fitted(cls, 2)))
        heard.append(answers(shared))

    callers = [threading.Thread(target=call) for _ in range(4)]
    # Filters of warnings belong to the process, not to a thread.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        for caller in callers:
            caller.start()
        for caller in callers:
            caller.join()
    assert len(heard) == 8
    assert set(heard) == {alone}


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@EVERY
def test_a_child_forked_after_a_threaded_fit_has_the_same_answers(cls):
    mine = answers(fitted(cls, 2))
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(write, str(answers(fitted(cls, 2)) == mine).encode())
        os._exit(0)
    os.close(write)
    spoke, _, _ = select.select([read], [], [], 100.0)
    if not spoke:
        os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    said = os.read(read, 100).decode() if spoke else "nothing for 100 s"
    os.close(read)
    assert said == "True"
