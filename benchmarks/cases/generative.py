"""Generative classifiers, whose fit is a pass over the rows: naive Bayes and discriminants."""

from importlib import import_module
from typing import Any

import numpy as np

from benchmarks.case import Case, Contestant, Size, Target
from benchmarks.data import Table

N_CLASSES = 3
SIZES = (
    Size("10 000 × 50", {"n": 10_000, "p": 50}, 500_000),
    Size("100 000 × 50", {"n": 100_000, "p": 50}, 5_000_000),
    Size("1 000 000 × 50", {"n": 1_000_000, "p": 50}, 50_000_000, required=True),
)
WARM_UP = {"n": 200, "p": 5}
JUDGED = 20_000
"""Rows on which the answers are compared: enough to see a difference in any parameter."""


def gaussian_classes(n: int, p: int, seed: int = 0) -> Table:
    """Three classes with means of their own and spreads that differ by class and column."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, N_CLASSES, n)
    means = 0.3 * rng.standard_normal((N_CLASSES, p))
    spreads = rng.uniform(0.5, 2.0, (N_CLASSES, p))
    return Table(rng.standard_normal((n, p)) * spreads[y] + means[y], y)


def word_counts(n: int, p: int, seed: int = 0) -> Table:
    """Three classes of documents of about 100 words, each class with frequencies of its own."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, N_CLASSES, n)
    frequencies = rng.dirichlet(np.full(p, 2.0), N_CLASSES)
    return Table(rng.poisson(100 * frequencies[y]).astype(np.float64), y)


def contestant(library: str, module: str, model: str) -> Contestant:
    """A library's classifier as a contestant, with default parameters."""

    def fit(table: Table) -> Any:
        return getattr(import_module(module), model)().fit(table.X, table.y)

    return Contestant(
        name=library, fit=fit, requires=(f"{module}:{model}",), ours=library == "margin"
    )


def _log_loss(table: Table, fitted: Any) -> float:
    """Mean negative log posterior of the true class on the first rows."""
    rows = slice(0, JUDGED)
    posterior = fitted.predict_log_proba(table.X[rows])
    return float(-np.take_along_axis(posterior, table.y[rows, None], axis=1).mean())


def _misfit(table: Table, fitted: Any) -> float:
    """Largest difference between the class means held by the model and those of the rows."""
    held = getattr(fitted, "theta_", getattr(fitted, "means_", None))
    if held is None:  # word counts: frequencies with one occurrence of every word added
        held = np.exp(fitted.feature_log_prob_)
    found = np.stack([table.X[table.y == k].sum(axis=0) for k in range(len(held))])
    if hasattr(fitted, "feature_log_prob_"):
        grown = found + 1.0
        return float(np.abs(held - grown / grown.sum(axis=1, keepdims=True)).max())
    return float(np.abs(held - found / np.bincount(table.y)[:, None]).max())


TARGET = Target(
    objective=_log_loss,
    objective_name="mean negative log posterior of the true class",
    tolerance=1e-8,
    certificate=_misfit,
    certificate_name="largest error of a class mean or word frequency",
    limit=1e-10,
)


def _case(name: str, description: str, module: str, model: str, make_data: Any) -> Case:
    return Case(
        name=name,
        description=description,
        make_data=make_data,
        sizes=SIZES,
        contestants=(
            contestant("margin", "margin.linear", model),
            contestant("scikit-learn", module, model),
        ),
        target=TARGET,
        required_ratio=2.0,
        warm_up=WARM_UP,
    )


CASES = (
    _case(
        "naive-bayes-gaussian",
        "Naive Bayes with normal columns, three classes.",
        "sklearn.naive_bayes",
        "GaussianNB",
        gaussian_classes,
    ),
    _case(
        "naive-bayes-multinomial",
        "Naive Bayes of word counts, three classes, dense.",
        "sklearn.naive_bayes",
        "MultinomialNB",
        word_counts,
    ),
    _case(
        "discriminant-linear",
        "Linear discriminant analysis, three classes.",
        "sklearn.discriminant_analysis",
        "LinearDiscriminantAnalysis",
        gaussian_classes,
    ),
    _case(
        "discriminant-quadratic",
        "Quadratic discriminant analysis, three classes.",
        "sklearn.discriminant_analysis",
        "QuadraticDiscriminantAnalysis",
        gaussian_classes,
    ),
)
