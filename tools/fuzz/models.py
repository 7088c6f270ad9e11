"""Estimators for trials: every one with a card, and those that have none or take others."""

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.utils import get_tags

from margin.causal import (
    AdditiveNoiseSEM,
    AverageEffect,
    CausalGraph,
    DifferenceInDifferences,
    EffectModifier,
    InstrumentalVariables,
    InvariantCausalPrediction,
    LinearSEM,
    RegressionDiscontinuity,
    SyntheticControl,
)
from margin.cluster import DBSCAN, AgglomerativeClustering, DivisiveClustering, SpectralClustering
from margin.decomposition import SparseCoder
from margin.ensemble import (
    AdaBoostClassifier,
    AdaBoostRegressor,
    BaggingClassifier,
    BaggingRegressor,
    StackingClassifier,
    StackingRegressor,
    VotingClassifier,
    VotingRegressor,
)
from margin.graphical import BayesianNetwork, BayesianNetworkClassifier
from margin.inspection import feature_dependence, shuffled_importance, tree_shap
from margin.linear import GaussianNB, LinearDiscriminantAnalysis, LogisticRegression, Ridge
from margin.multiclass import OneVsOneClassifier, OneVsRestClassifier, OutputCodeClassifier
from margin.neighbors import (
    KNeighborsClassifier,
    KNeighborsRegressor,
    KNeighborsTransformer,
    LocalOutlierFactor,
    NearestNeighbors,
    RadiusNeighborsTransformer,
)
from margin.svm import SVC, SVR
from margin.testing import all_estimators
from margin.tree import DecisionTreeClassifier, DecisionTreeRegressor
from tools.fuzz.laws import FAMILIES, OF_COUNTS, READERS, Law, Reader

Rng = np.random.Generator
Maker = Callable[[Rng], Any]
VOTES = ("hard", "soft")
OF_SYMBOLS = (
    "CategoricalHMM", "DiscriminativeHMM", "DynamicBayesianNetwork", "MarkovChain",
    "MarkovChainMixture", "VariationalCategoricalHMM",
)  # fmt: skip
WITH_COUNTS = ("PoissonHMM", "HierarchicalDirichletProcess", "LatentDirichletAllocation")

LINKAGES = ("ward", "complete", "average", "single", "centroid")
LABELS = ("kmeans", "discretize", "cluster_qr")

CLASSIFIERS: tuple[Maker, ...] = (
    lambda rng: DecisionTreeClassifier(max_depth=int(rng.integers(1, 6))),
    lambda rng: LogisticRegression(),
    lambda rng: GaussianNB(),
    lambda rng: LinearDiscriminantAnalysis(),
    lambda rng: KNeighborsClassifier(n_neighbors=2),
    lambda rng: SVC(probability=bool(rng.integers(2))),
)
REGRESSORS: tuple[Maker, ...] = (
    lambda rng: DecisionTreeRegressor(max_depth=int(rng.integers(1, 6))),
    lambda rng: Ridge(),
    lambda rng: KNeighborsRegressor(n_neighbors=2),
    lambda rng: SVR(),
)


def _base(rng: Rng, makers: tuple[Maker, ...]) -> Any:
    return makers[int(rng.integers(len(makers)))](rng)


def _several(rng: Rng, makers: tuple[Maker, ...]) -> list[tuple[str, Any]]:
    return [(f"m{k}", _base(rng, makers)) for k in range(int(rng.integers(1, 4)))]


def _coder(rng: Rng) -> str:
    return str(rng.choice(["omp", "lars", "lasso_lars", "lasso_cd", "threshold"]))


def _family_kind(name: str) -> str:
    kinds = {"Bernoulli": "binary", "Beta": "shares", "Dirichlet": "shares"}
    return kinds.get(name, "counts" if name in OF_COUNTS else "table")


def _wrapped(cls: Any, makers: tuple[Maker, ...], **options: Any) -> Maker:
    return lambda rng: cls(estimator=_base(rng, makers), **options)


# Name, what the target is, and how one is made: models without a card, and models over models.
OTHERS: tuple[tuple[str, str, Maker], ...] = (
    ("AdaBoostClassifier", "classification", _wrapped(AdaBoostClassifier, CLASSIFIERS)),
    ("AdaBoostRegressor", "regression", _wrapped(AdaBoostRegressor, REGRESSORS)),
    ("BaggingClassifier", "classification", _wrapped(BaggingClassifier, CLASSIFIERS)),
    ("BaggingRegressor", "regression", _wrapped(BaggingRegressor, REGRESSORS)),
    ("OneVsOneClassifier", "classification", _wrapped(OneVsOneClassifier, CLASSIFIERS)),
    ("OneVsRestClassifier", "classification", _wrapped(OneVsRestClassifier, CLASSIFIERS)),
    ("OutputCodeClassifier", "classification", _wrapped(OutputCodeClassifier, CLASSIFIERS)),
    ("VotingClassifier", "classification",
     lambda rng: VotingClassifier(_several(rng, CLASSIFIERS), voting=str(rng.choice(VOTES)))),
    ("VotingRegressor", "regression", lambda rng: VotingRegressor(_several(rng, REGRESSORS))),
    ("StackingClassifier", "classification",
     lambda rng: StackingClassifier(_several(rng, CLASSIFIERS), passthrough=bool(rng.integers(2)))),
    ("StackingRegressor", "regression",
     lambda rng: StackingRegressor(_several(rng, REGRESSORS), passthrough=bool(rng.integers(2)))),
    ("NearestNeighbors", "density", lambda rng: NearestNeighbors(n_neighbors=2)),
    ("KNeighborsTransformer", "density", lambda rng: KNeighborsTransformer(n_neighbors=2)),
    ("RadiusNeighborsTransformer", "density", lambda rng: RadiusNeighborsTransformer()),
    ("LocalOutlierFactor", "density",
     lambda rng: LocalOutlierFactor(n_neighbors=3, novelty=bool(rng.integers(2)))),
    ("DBSCAN", "density", lambda rng: DBSCAN(eps=float(rng.choice([0.3, 1.0, 1e5])))),
    ("AgglomerativeClustering", "density",
     lambda rng: AgglomerativeClustering(2, linkage=str(rng.choice(LINKAGES)))),
    ("DivisiveClustering", "density", lambda rng: DivisiveClustering(n_clusters=2)),
    ("SpectralClustering", "density",
     lambda rng: SpectralClustering(2, random_state=0, assign_labels=str(rng.choice(LABELS)))),
    ("SparseCoder", "density", lambda rng: SparseCoder(None, transform_algorithm=_coder(rng))),
)  # fmt: skip


def _roles(cls: Any, *names: str, **options: Any) -> Maker:
    return lambda rng: cls(*names, **options)


GRAPH = CausalGraph([("x0", "t"), ("x0", "y"), ("z", "t"), ("t", "y")])
# Name, the kind of table, and how one is made.
OF_THEIR_OWN: tuple[tuple[str, str, Maker], ...] = (
    ("AverageEffect", "causal",
     lambda rng: AverageEffect(GRAPH, "t", "y", n_bootstrap=int(rng.choice([0, 20])))),
    ("EffectModifier", "causal", _roles(EffectModifier, GRAPH, "t", "y", modifiers=["x0"])),
    ("InstrumentalVariables", "causal",
     lambda rng: InstrumentalVariables("t", "y", ["z"], covariates=["x0"] * int(rng.integers(2)))),
    ("DifferenceInDifferences", "causal",
     _roles(DifferenceInDifferences, "y", "unit", "time", "t")),
    ("RegressionDiscontinuity", "causal", _roles(RegressionDiscontinuity, "x0", "y")),
    ("SyntheticControl", "causal",
     _roles(SyntheticControl, "y", "unit", "time", treated=0, start=1)),
    ("InvariantCausalPrediction", "causal", _roles(InvariantCausalPrediction, "y", "env")),
    ("LinearSEM", "causal", _roles(LinearSEM, GRAPH)),
    ("AdditiveNoiseSEM", "causal", _roles(AdditiveNoiseSEM, GRAPH)),
    *((f"distributions.{name}", _family_kind(name), lambda rng, name=name: Law(name))
      for name in FAMILIES),
    *((f"read {name}", f"file {name}", lambda rng, name=name: Reader(name)) for name in READERS),
)  # fmt: skip


def draw(rng: Rng, only: str = "") -> tuple[Any, str, str]:
    """A model, its task and the kind of table that it takes; of one class if so asked.

    Examples
    --------
    >>> draw(np.random.default_rng(0), "VotingRegressor")[1:]
    ('regression', 'table')
    """
    carded = [pair for pair in all_estimators() if only in ("", pair[0])]
    others = [(task, "table", make) for name, task, make in OTHERS if only in ("", name)]
    others += [("density", kind, make) for name, kind, make in OF_THEIR_OWN if only in ("", name)]
    at = int(rng.integers(len(carded) + len(others)))
    if at >= len(carded):
        task, kind, make = others[at - len(carded)]
        return make(rng), task, kind
    name, cls = carded[at]
    model = cls(**_parameters(rng, cls))
    return model, cls.card.tasks[0], _kind(rng, name, model)


def _kind(rng: Rng, name: str, model: Any) -> str:
    """What the model learns from; now and then any table, which it may refuse."""
    usual = str(model.card.input)
    if rng.random() < 0.15:
        return usual
    if name in OF_SYMBOLS:
        return "symbols"
    counts = name in WITH_COUNTS or get_tags(model).input_tags.positive_only
    return "counts" if counts else usual


def completed(rng: Rng, model: Any, X: Any) -> Any:
    """The model with what depends on the table: atoms as long as its rows, arrows by column."""
    if isinstance(model, SparseCoder) and np.ndim(X) == 2:
        model.set_params(dictionary=rng.normal(size=(4, np.shape(X)[1])))
    if isinstance(model, BayesianNetwork | BayesianNetworkClassifier) and hasattr(X, "columns"):
        names = list(X.columns)
        arrows = [(a, b) for k, b in enumerate(names[:8]) for a in names[:k] if rng.random() < 0.3]
        if "edges" in model.get_params(deep=False):
            model.set_params(edges=arrows)
    return model


def _parameters(rng: Rng, cls: Any) -> dict[str, Any]:
    if rng.random() < 0.5:
        return {}
    grid = cls.card.grid(5)
    return {name: values[int(rng.integers(len(values)))] for name, values in grid.items()}


def asked(model: Any, X: Any, y: Any) -> dict[str, Any]:
    """What the inspection of a fitted model answers."""
    answers: dict[str, Any] = {}
    if hasattr(model, "to_trees"):
        answers["tree_shap"] = tree_shap(model, X).values
        answers["tree_shap against a background"] = tree_shap(model, X, background=X).values
    if y is not None and hasattr(model, "predict"):
        seen = shuffled_importance(model, X, y, n_repeats=2, random_state=0)
        answers["shuffled_importance"] = seen.importances
        dependence = feature_dependence(model, X, 0, grid_resolution=5)
        answers["feature_dependence"] = dependence.individual
    return answers
