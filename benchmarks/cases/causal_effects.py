"""Average effects with bootstrap intervals, and refuters: DoWhy, EconML."""

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.case import Case, Contestant, Size, Target

Study = tuple[np.ndarray, np.ndarray, np.ndarray]
N_COVARIATES, N_BOOTSTRAP, N_REPEATS = 10, 100, 10
NAMES = [f"x{j}" for j in range(N_COVARIATES)]


def study(n: int) -> Study:
    """Covariates, treatment and outcome of a confounded study with an effect of 2."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((n, N_COVARIATES))
    t = (rng.random(n) < 1 / (1 + np.exp(-X[:, 0] - 0.5 * X[:, 1]))).astype(int)
    return X, t, X[:, 0] + X[:, 1] + 2.0 * t + rng.standard_normal(n)


def _frame(data: Study) -> Any:
    import pandas as pd

    return pd.DataFrame(data[0], columns=NAMES).assign(t=data[1], y=data[2])


def _margin(data: Study, method: str) -> float:
    from margin.causal import AverageEffect

    model = AverageEffect(None, "t", "y", NAMES, method, n_bootstrap=N_BOOTSTRAP, random_state=0)
    return float(model.fit(_frame(data)).effect_)


def _dowhy_model(data: Study) -> tuple[Any, Any]:
    from dowhy import CausalModel

    model = CausalModel(_frame(data), "t", "y", common_causes=NAMES)
    return model, model.identify_effect(proceed_when_unidentifiable=True)


def _dowhy_ipw(data: Study) -> float:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model, estimand = _dowhy_model(data)
        estimate = model.estimate_effect(
            estimand,
            method_name="backdoor.propensity_score_weighting",
            confidence_intervals=True,
            method_params={"num_simulations": N_BOOTSTRAP, "sample_size_fraction": 1.0},
        )
        estimate.get_confidence_intervals()
    return float(estimate.value)


def _econml(data: Study, kind: str) -> float:
    from econml.dml import LinearDML
    from econml.dr import LinearDRLearner
    from econml.inference import BootstrapInference
    from sklearn.linear_model import LinearRegression, LogisticRegression

    X, t, y = data
    if kind == "dml":
        model = LinearDML(
            model_y=LinearRegression(), model_t=LogisticRegression(C=1e6), discrete_treatment=True,
            cv=5, random_state=0,
        )  # fmt: skip
    else:
        model = LinearDRLearner(
            model_regression=LinearRegression(), model_propensity=LogisticRegression(C=1e6), cv=5,
            random_state=0,
        )  # fmt: skip
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        inference = BootstrapInference(n_bootstrap_samples=N_BOOTSTRAP, n_jobs=1)
        model.fit(y, t, X=None, W=X, inference=inference)
        model.ate_interval()
    return float(model.ate())


def _refute(data: Study, method: str) -> float:
    from margin.causal import AverageEffect

    model = AverageEffect(None, "t", "y", NAMES, method, random_state=0).fit(_frame(data))
    model.refute(("placebo", "random_cause", "subset"), n_repeats=N_REPEATS)
    model.refute("hidden_cause", n_repeats=1)
    return float(model.effect_)


def _refute_dowhy(data: Study, method: str) -> float:
    more = {}
    if method == "econml.dml.LinearDML":
        from sklearn.linear_model import LinearRegression, LogisticRegression

        made = {"model_y": LinearRegression(), "model_t": LogisticRegression(C=1e6), "cv": 5}
        more = {
            "method_params": {
                "init_params": {**made, "discrete_treatment": True, "random_state": 0},
                "fit_params": {},
            }
        }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model, estimand = _dowhy_model(data)
        estimate = model.estimate_effect(estimand, method_name=f"backdoor.{method}", **more)
        for name, settings in {
            "placebo_treatment_refuter": {"placebo_type": "permute", "num_simulations": N_REPEATS},
            "random_common_cause": {"num_simulations": N_REPEATS},
            "data_subset_refuter": {"subset_fraction": 0.5, "num_simulations": N_REPEATS},
            "add_unobserved_common_cause": {
                "effect_strength_on_treatment": 0.05,
                "effect_strength_on_outcome": 0.1,
            },
        }.items():
            model.refute_estimate(
                estimand, estimate, method_name=name, show_progress_bar=False, **settings
            )
    return float(estimate.value)


def _miss(data: Study, effect: float) -> float:
    return abs(effect - 2.0)


TARGET = Target(objective=_miss, objective_name="distance from the true effect", tolerance=0.1)
SIZES = (
    Size("10 000 × 10", {"n": 10_000}, 100_000),
    Size("100 000 × 10", {"n": 100_000}, 1_000_000, required=True),
)
OURS, DOWHY, ECONML = ("margin.causal", "pandas"), ("dowhy",), ("econml",)


MULTIPLIED = "replicates weight the influence functions anew; nothing is fitted again"
REFITTED = "every replicate fits all models again"
SUMMED = (
    "placebos and random causes by a step from sums that all share, subsets by influence functions"
)


def _case(name: str, description: str, contestants: tuple[Contestant, ...]) -> Case:
    return Case(
        name=name, description=description, make_data=study, sizes=SIZES, contestants=contestants,
        target=TARGET, required_ratio=20.0, warm_up={"n": 500}, max_rounds=3,
    )  # fmt: skip


def _ours(fit: Callable[[Study], float], note: str) -> Contestant:
    return Contestant("margin", fit, requires=OURS, ours=True, note=note)


CASES = (
    _case(
        "effect-ipw",
        "Weighting by inverse propensities with 100 replicates of the bootstrap.",
        (
            _ours(lambda data: _margin(data, "ipw"), MULTIPLIED),
            Contestant("DoWhy", _dowhy_ipw, requires=DOWHY, note=REFITTED),
        ),
    ),
    _case(
        "effect-aipw",
        "Doubly robust scores, five folds, with 100 replicates of the bootstrap.",
        (
            _ours(lambda data: _margin(data, "aipw"), MULTIPLIED),
            Contestant("EconML", lambda data: _econml(data, "dr"), requires=ECONML, note=REFITTED),
        ),
    ),
    _case(
        "effect-dml",
        "Double machine learning, five folds, with 100 replicates of the bootstrap.",
        (
            _ours(lambda data: _margin(data, "dml"), MULTIPLIED),
            Contestant("EconML", lambda data: _econml(data, "dml"), requires=ECONML, note=REFITTED),
        ),
    ),
    _case(
        "effect-refuters",
        "Double machine learning: placebo, random cause, subset (ten times each), a hidden cause.",
        (
            _ours(lambda data: _refute(data, "dml"), SUMMED),
            Contestant(
                "DoWhy on EconML",
                lambda data: _refute_dowhy(data, "econml.dml.LinearDML"),
                requires=(*DOWHY, *ECONML),
            ),
        ),
    ),
    _case(
        "effect-refuters-ipw",
        "Weighting: placebo, random cause, subset (ten times each), a hidden cause.",
        (
            _ours(lambda data: _refute(data, "ipw"), SUMMED),
            Contestant(
                "DoWhy",
                lambda data: _refute_dowhy(data, "propensity_score_weighting"),
                requires=DOWHY,
            ),
        ),
    ),
)
