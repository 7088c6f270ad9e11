"""What must not change the answer does not change it."""

from typing import Any

import numpy as np
from sklearn.base import clone

from margin.testing._outputs import assert_same, outputs
from margin.testing._samples import fitted, fitted_precisely, sample_for


def check_row_order(name: str, estimator: Any) -> None:
    """The order of the rows does not matter."""
    sample = sample_for(estimator)
    mixed = sample.take(np.random.default_rng(3).permutation(len(sample.X)))
    one = fitted_precisely(estimator, sample.X, sample.y)
    two = fitted_precisely(estimator, mixed.X, mixed.y)
    assert_same(one, two, sample.X, f"{name} with rows in another order", rtol=1e-6)


def check_weight_is_repetition(name: str, estimator: Any) -> None:
    """A row of weight three is that row three times, a row of weight zero is no row."""
    sample = sample_for(estimator)
    if "min_samples_leaf" in estimator.get_params(deep=False):
        # A rule on numbers of rows, which repetition changes and weights do not.
        estimator = clone(estimator).set_params(min_samples_leaf=1)
    times = np.random.default_rng(4).integers(0, 4, size=len(sample.X))
    repeated = sample.take(np.repeat(np.arange(len(times)), times))
    one = fitted_precisely(estimator, sample.X, sample.y, times.astype(float))
    two = fitted_precisely(estimator, repeated.X, repeated.y)
    assert_same(one, two, sample.X, f"{name} with weights for repetitions", rtol=1e-6)


def check_unit_weights(name: str, estimator: Any) -> None:
    """Weights that are all one are no weights."""
    sample = sample_for(estimator)
    one = fitted_precisely(estimator, sample.X, sample.y)
    two = fitted_precisely(estimator, sample.X, sample.y, np.ones(len(sample.X)))
    assert_same(one, two, sample.X, f"{name} with unit weights", rtol=1e-7)


def check_label_names(name: str, estimator: Any) -> None:
    """Renaming the classes renames the predictions and reorders the probabilities."""
    X, y, _ = sample_for(estimator)
    model = fitted_precisely(estimator, X, y)
    old = model.classes_
    assert old.tolist() == sorted(set(y)), f"{name}: classes_ must be the sorted labels"
    for new in (np.arange(len(old)) * 10 - 5, np.array([str(v) for v in old])[::-1].copy()):
        renamed = fitted_precisely(estimator, X, new[np.searchsorted(old, y)])
        code = np.searchsorted(old, model.predict(X))
        np.testing.assert_array_equal(renamed.predict(X), new[code], err_msg=name)
        if hasattr(model, "predict_proba"):
            columns = np.searchsorted(renamed.classes_, new)
            np.testing.assert_allclose(
                renamed.predict_proba(X)[:, columns],
                model.predict_proba(X),
                rtol=1e-6,
                atol=1e-9,
                err_msg=f"{name}: probabilities depend on the names of the classes",
            )


def check_probabilities(name: str, estimator: Any) -> None:
    """Probabilities are in [0, 1], sum to one, and the prediction is the most probable class."""
    X, y, _ = sample_for(estimator)
    model = fitted(estimator, X, y)
    answers = outputs(model, X)
    proba = answers["predict_proba"]
    assert proba.shape == (len(X), len(model.classes_))
    assert proba.min() >= 0, f"{name}: negative probability"
    np.testing.assert_allclose(proba.sum(axis=1), 1.0, rtol=1e-6, err_msg=name)
    np.testing.assert_array_equal(model.classes_[proba.argmax(axis=1)], answers["predict"])
    if hasattr(model, "predict_log_proba"):
        with np.errstate(divide="ignore"):
            logs = np.log(proba)
        np.testing.assert_allclose(model.predict_log_proba(X), logs, rtol=1e-6, atol=1e-9)


def check_n_jobs(name: str, estimator: Any) -> None:
    """Any number of threads gives the same answer, to the last bit."""
    # Enough rows for several threads, unless the cost of that many is prohibitive.
    many = 150 if estimator.card.cost == "cubic" else 3000
    X, y, _ = sample_for(estimator, n=many, p=12)
    one = fitted(estimator, X, y, n_jobs=1)
    for n_jobs in (2, 3, -1, None):
        other = fitted(estimator, X, y, n_jobs=n_jobs)
        assert_same(one, other, X, f"{name} with n_jobs={n_jobs}")


def check_seed(name: str, estimator: Any) -> None:
    """The same seed gives the same model, and the estimator does not use up its own."""
    X, y, _ = sample_for(estimator)
    one = fitted(estimator, X, y, random_state=7)
    two = fitted(estimator, X, y, random_state=7)
    assert_same(one, two, X, f"{name} with one seed")
    one.fit(X) if y is None else one.fit(X, y)
    assert_same(one, two, X, f"{name} fitted again with one seed")


def check_predicting_is_row_by_row(name: str, estimator: Any) -> None:
    """A row's answer does not depend on the other rows, and predicting changes nothing."""
    X, y, _ = sample_for(estimator)
    model = fitted(estimator, X, y)
    before = dict(vars(model))
    together = outputs(model, X)
    alone = [outputs(model, X[i : i + 1]) for i in range(10)]
    for method, answer in together.items():
        single = np.concatenate([a[method] for a in alone])
        if answer.dtype.kind == "f":
            scale = float(np.abs(answer).max())
            np.testing.assert_allclose(single, answer[:10], rtol=1e-9, atol=1e-12 * scale)
        else:
            np.testing.assert_array_equal(single, answer[:10])
    assert all(vars(model)[k] is v for k, v in before.items()), f"{name} changes when predicting"
