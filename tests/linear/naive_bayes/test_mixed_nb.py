import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse
from sklearn.datasets import load_iris
from sklearn.metrics import adjusted_rand_score

from margin.linear import BernoulliNB, CategoricalNB, GaussianNB, MixedNB, MultinomialNB


@pytest.fixture
def mixed():
    """Two classes, a column of every kind, a tenth of the entries hidden."""
    rng = np.random.default_rng(0)
    y = rng.integers(2, size=300)
    X = np.column_stack(
        [
            rng.standard_normal(300) + 2 * y,
            (rng.integers(3, size=300) + y) % 3,
            rng.random(300) < 0.2 + 0.5 * y,
            rng.poisson(2 + 6 * y),
            rng.exponential(1.0 + y),
        ]
    )
    return np.where(rng.random(X.shape) < 0.1, np.nan, X), y


KINDS = ["gaussian", "categorical", "bernoulli", "poisson", "histogram"]


@pytest.mark.parametrize(
    ("kind", "other"),
    [
        ("gaussian", GaussianNB(var_smoothing=0.0)),
        ("bernoulli", BernoulliNB(alpha=0.5)),
        ("categorical", CategoricalNB(alpha=0.5)),
        ("multinomial", MultinomialNB(alpha=0.5)),
    ],
)
def test_one_kind_for_all_is_that_classifier(kind, other):
    rng = np.random.default_rng(1)
    y = rng.integers(3, size=90)
    X = rng.integers(2, size=(90, 4)).astype(float) + (kind == "gaussian") * rng.random((90, 4))
    if kind != "multinomial":
        X = np.where(rng.random(X.shape) < 0.2, np.nan, X)
    alpha = 0.0 if kind == "gaussian" else 0.5
    weight = rng.random(90)
    model = MixedNB(column_models=kind, alpha=alpha).fit(X, y, weight)
    expected = other.fit(X, y, weight).predict_log_proba(X)
    np.testing.assert_allclose(model.predict_log_proba(X), expected, rtol=1e-8, atol=1e-10)


def test_mixed_columns_multiply(mixed):
    """linear.43 to linear.47: the joint is the product of the columns taken alone."""
    X, y = mixed
    model = MixedNB(column_models=KINDS).fit(X, y)
    alone = np.zeros((len(y), 2))
    for j, kind in enumerate(KINDS):
        one = MixedNB(column_models=kind).fit(X[:, [j]], y)
        alone += one.log_joint(X[:, [j]]) - np.log(one.priors_)
    np.testing.assert_allclose(model.log_joint(X), alone + np.log(model.priors_), rtol=1e-9)
    assert model.score(X, y) > 0.85
    own = model.log_joint(X)[np.arange(len(y)), y].sum()
    penalty = model._likelihood.log_penalty
    assert model.fit_report_.objective == pytest.approx(-(own + penalty) / len(y), rel=1e-9)


def test_kinds_are_found_or_named(mixed):
    X, y = mixed
    kinds = MixedNB().fit(X, y).column_kinds_
    assert kinds == ["gaussian", "categorical", "categorical", "gaussian", "gaussian"]
    frame = pd.DataFrame(X, columns=list("abcde"))
    chosen = MixedNB(column_models={"d": "poisson", 4: "histogram"}).fit(frame, y)
    assert chosen.column_kinds_[3:] == ["poisson", "histogram"]
    with pytest.raises(ValueError, match="column_models must be of columns that exist, got 'z'"):
        MixedNB(column_models={"z": "poisson"}).fit(frame, y)
    with pytest.raises(ValueError, match="column_models must be one kind for each of 5 columns"):
        MixedNB(column_models=["poisson"]).fit(X, y)
    with pytest.raises(ValueError, match="column_models must be one of 'auto', 'gaussian'"):
        MixedNB(column_models="normal").fit(X, y)


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame])
def test_frames_of_words_and_numbers(make):
    columns = {"size": [1.0, 1.2, 8.0, None, 8.3], "colour": ["red", "red", "blue", "blue", None]}
    frame = make(columns)
    model = MixedNB().fit(frame, ["a", "a", "b", "b", "b"])
    assert model.column_kinds_ == ["gaussian", "categorical"]
    assert model.categories_ == {"colour": ["blue", "red"]}
    unseen = make({"size": [1.1, 8.1], "colour": ["green", None]})
    assert model.predict(unseen).tolist() == ["a", "b"]
    with pytest.raises(ValueError, match="'categorical' for column 'colour', which holds words"):
        MixedNB(column_models="gaussian").fit(frame, ["a", "a", "b", "b", "b"])


def test_refuses_values_a_kind_has_no_probability_for():
    y = [0, 1, 1]
    for kind, bad, text in (
        ("bernoulli", 2.0, "column 0 must be 0 or 1"),
        ("categorical", 0.5, "column 0 must be whole numbers"),
        ("poisson", 0.5, "column 0 must be whole numbers"),
        ("poisson", -1.0, "Negative values in data"),
        ("multinomial", np.nan, "column 0 must be observed everywhere"),
    ):
        with pytest.raises(ValueError, match=text):
            MixedNB(column_models=kind).fit([[bad], [1.0], [0.0]], y)
    model = MixedNB(column_models="bernoulli").fit([[0.0], [1.0], [1.0]], y)
    with pytest.raises(ValueError, match="column 0 must be 0 or 1"):
        model.predict([[3.0]])


def test_all_labels_make_the_supervised_fit(mixed):
    """adaptation.06"""
    X, y = mixed
    plain = MixedNB(column_models=KINDS).fit(X, y)
    marked = MixedNB(column_models=KINDS, unlabelled=-1).fit(X, y)
    np.testing.assert_array_equal(plain.log_joint(X), marked.log_joint(X))
    assert plain.n_iter_ == 1


def test_no_labels_make_a_clustering(mixed):
    """linear.44, mixture.06: unsupervised naive Bayes finds the planted classes."""
    X, y = mixed
    model = MixedNB(column_models=KINDS, n_classes=2, random_state=0).fit(X)
    assert adjusted_rand_score(y, model.predict(X)) > 0.7
    assert model.classes_.tolist() == [0, 1]
    assert "300 of 300 rows have no label" in model.fit_report_.notes
    same = MixedNB(column_models=KINDS, n_classes=2, random_state=0).fit(X, [None] * 300)
    np.testing.assert_array_equal(same.predict(X), model.predict(X))
    best = model.fit_report_.objective
    single = [
        MixedNB(column_models=KINDS, n_classes=2, n_init=1, random_state=s).fit(X).fit_report_
        for s in range(3)
    ]
    assert best <= min(report.objective for report in single) + 1e-3
    with pytest.raises(ValueError, match="n_classes must be given when no row has a label"):
        MixedNB().fit(X)
    with pytest.raises(ValueError, match="n_classes must be between 2 and 300 samples"):
        MixedNB(n_classes=301).fit(X)
    with pytest.raises(ValueError, match="n_classes must be None or 2, the number of labels"):
        MixedNB(n_classes=3).fit(X, y)


@pytest.mark.parametrize("mark", [None, np.nan, "?"])
def test_unlabelled_rows_help(mark):
    """adaptation.06: a few labels and many rows without beat the few labels alone."""
    X, y = load_iris(return_X_y=True)
    names = np.array(["x", "y", "z"], dtype=object)[y]
    rng = np.random.default_rng(4)
    shown = np.concatenate([rng.choice(np.flatnonzero(y == k), 3, replace=False) for k in range(3)])
    few = np.full(len(y), mark, dtype=object)
    few[shown] = names[shown]
    model = MixedNB(column_models="gaussian", unlabelled="?").fit(X, few)
    alone = MixedNB(column_models="gaussian").fit(X[shown], names[shown])
    assert model.classes_.tolist() == ["x", "y", "z"]
    assert model.score(X, names) > 0.9
    assert model.score(X, names) >= alone.score(X, names) - 0.01


def test_text_with_few_labels_in_sparse_form():
    rng = np.random.default_rng(5)
    y = rng.integers(2, size=200)
    theta = rng.dirichlet(np.ones(30), size=2)
    X = np.stack([rng.multinomial(40, theta[k]) for k in y]).astype(float)
    few = np.where(np.arange(200) < 10, y, -1)
    options = {"column_models": "multinomial", "unlabelled": -1}
    dense, thin = MixedNB(**options).fit(X, few), MixedNB(**options).fit(sparse.csr_array(X), few)
    assert dense.score(X, y) > 0.95
    np.testing.assert_allclose(thin.predict_proba(sparse.csr_matrix(X)), dense.predict_proba(X))
    with pytest.raises(TypeError, match=r"[Ss]parse"):
        MixedNB().fit(sparse.csr_array(X), y)


def test_weights_are_repetitions_of_unlabelled_rows_too(mixed):
    X, y = mixed
    few = np.where(np.arange(len(y)) % 3 == 0, y, -1)
    times = np.random.default_rng(6).integers(0, 3, size=len(y))
    rows = np.repeat(np.arange(len(y)), times)
    options = {"column_models": KINDS, "unlabelled": -1, "tol": 1e-12}
    one = MixedNB(**options).fit(X, few, times)
    two = MixedNB(**options).fit(X[rows], few[rows])
    np.testing.assert_allclose(one.predict_proba(X), two.predict_proba(X), atol=1e-6)


def test_density_of_rows_and_sampling(mixed):
    X, y = mixed
    model = MixedNB(column_models=KINDS, priors=[0.3, 0.7]).fit(X, y)
    np.testing.assert_allclose(
        model.score_samples(X), np.log(np.exp(model.log_joint(X)).sum(axis=1)), rtol=1e-10
    )
    drawn, labels = model.sample(5000, random_state=0)
    assert labels.mean() == pytest.approx(0.7, abs=0.02)
    assert np.nanmean(X[y == 1, 3]) == pytest.approx(drawn[labels == 1, 3].mean(), abs=0.3)


def test_stopping_early_is_said(mixed):
    from sklearn.exceptions import ConvergenceWarning

    X, y = mixed
    few = np.where(np.arange(len(y)) < 10, y, -1)
    with pytest.warns(
        ConvergenceWarning, match="MixedNB: stopped after max_iter=2 iterations with"
    ):
        MixedNB(unlabelled=-1, max_iter=2, tol=1e-12).fit(X, few)
