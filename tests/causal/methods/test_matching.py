import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.stats import binom
from worlds import COVARIATES, study

from margin.causal import AverageEffect
from margin.causal.methods._effect_data import effect_data
from margin.causal.methods._groups import PropensityStratification
from margin.causal.methods._matching import Matching
from margin.causal.methods._nuisance import Nuisance


@pytest.mark.parametrize("k", [1, 3])
@pytest.mark.parametrize("target", ["ate", "att"])
def test_against_loops(k, target):
    """causal.22: imputed counterfactuals and the errors of Abadie and Imbens, row by row"""
    rng = np.random.default_rng(0)
    x, y, t = rng.random(40), rng.random(40), rng.integers(0, 2, 40)
    data = effect_data("A", {"x": x, "t": t, "y": y}, ("t",), "y", ("x",), target=target)
    found = Matching(on="covariates", n_neighbors=k).scores(data, Nuisance())
    use = np.ones(40) if target == "ate" else (t == 1) * 1.0
    gain, served = np.zeros(40), np.zeros(40)
    for i in range(40):
        other = np.flatnonzero(t != t[i])
        near = other[np.argsort(np.abs(x[other] - x[i]))[:k]]
        gain[i] = (2 * t[i] - 1) * (y[i] - y[near].mean())
        served[near] += use[i]
    tau = (use @ gain) / use.sum()
    assert_allclose(found.values, tau)
    sigma = np.zeros(40)
    for i in range(40):
        same = np.flatnonzero((t == t[i]) & (np.arange(40) != i))
        sigma[i] = (y[i] - y[same[np.argmin(np.abs(x[same] - x[i]))]]) ** 2 / 2
    K = served
    if target == "ate":
        extra = (K / k) ** 2 + (2 * k - 1) / k * (K / k)
    else:
        extra = (
            np.where(t == 0, K * (K - 1) / k**2 + 0 * K, 0) if k == 1 else (K / k) ** 2 - K / k**2
        )
    variance = (use @ (gain - tau) ** 2 + extra @ sigma) / use.sum() ** 2
    assert_allclose(found.variance, variance)


def test_optimal_pairs_and_greedy_ones_hardly_differ():
    """causal.22: the same effect from both"""
    frame = study(300, np.random.default_rng(3))
    data = effect_data("A", frame, ("t",), "y", tuple(COVARIATES))
    two = [
        Matching(replacement=False, caliper=0.05, pairing=p).scores(data, Nuisance())
        for p in ("greedy", "optimal")
    ]
    assert abs(two[0].values - two[1].values) < 0.3
    assert abs(two[1].values[0] - 2) < 0.6
    assert "have no partner" in two[0].notes[1]
    assert "the effect is that of the treated" in two[0].notes[0]


def test_calipers_leave_rows_out():
    frame = study(300, np.random.default_rng(0))
    data = effect_data("A", frame, ("t",), "y", tuple(COVARIATES))
    assert (
        "no partner within the caliper" in Matching(caliper=1e-3).scores(data, Nuisance()).notes[0]
    )
    with pytest.raises(ValueError, match="caliper must be wide enough"):
        Matching(caliper=1e-15, replacement=False).scores(data, Nuisance())
    with pytest.raises(ValueError, match="n_neighbors must be at most"):
        Matching(n_neighbors=299).scores(data, Nuisance())


def confounded(n, rng):
    """Effects that differ, so that the three targets do: 2, and 2 plus the mean of x0."""
    frame = study(n, rng)
    return {**frame, "y": frame["y"] + frame["x0"] * frame["t"]}


@pytest.mark.parametrize("target", ["ate", "att", "atc"])
def test_correction_for_what_partners_differ_by(target):
    """causal.22: against loops, with a line of the outcome for each level"""
    data = effect_data("A", confounded(60, np.random.default_rng(0)), ("t",), "y",
                       tuple(COVARIATES), target=target)  # fmt: skip
    found = Matching(on="covariates", n_neighbors=2).scores(data, Nuisance())
    P = np.linalg.solve(np.linalg.cholesky(np.cov(data.X.T)), data.X.T).T
    D, arms, y = data.lines, data.arms, data.y
    beta = [np.linalg.lstsq(D[arms == a], y[arms == a], rcond=None)[0] for a in (0, 1)]
    gain = np.zeros(60)
    for i in range(60):
        other = np.flatnonzero(arms != arms[i])
        near = other[np.argsort(np.linalg.norm(P[other] - P[i], axis=1))[:2]]
        moved = y[near] + (D[i] - D[near]) @ beta[1 - arms[i]]
        gain[i] = (2 * arms[i] - 1) * (y[i] - moved.mean())
    use = data.population > 0
    assert_allclose(found.values, gain[use].mean())
    mean = {0: np.where(arms == 0, y, y - gain), 1: np.where(arms == 1, y, y + gain)}
    assert_allclose(list(found.means.values()), [mean[a][use].mean() for a in (0, 1)])
    plain = Matching(on="covariates", bias_correction=False).scores(data, Nuisance())
    assert abs(plain.values - found.values) > 0.01


@pytest.mark.parametrize("target", ["ate", "att", "atc"])
def test_coverage_with_several_covariates(target):
    """causal.22: without the correction the bias alone would leave two in three"""
    rng, inside, found, times = np.random.default_rng(1), 0, [], 150
    model = AverageEffect(None, "t", "y", COVARIATES, "covariate_matching", target=target)
    model.set_params(level=0.9)
    shift = {"ate": 0.0, "att": 0.413, "atc": -0.413}[target]
    for _ in range(times):
        model.fit(confounded(300, rng))
        inside += model.interval_[0] <= 2 + shift <= model.interval_[1]
        found.append(model.effect_)
    low, high = binom.ppf([0.0005, 0.9995], times, 0.9)
    assert low <= inside <= high
    assert abs(np.mean(found) - 2 - shift) < 4 * np.std(found) / np.sqrt(times)


def test_disjoint_pairs_are_of_whom_they_are_asked_for():
    """Pairs by hand; the larger group cannot be paired as a whole."""
    frame = {"x": [0.0, 1, 2, 3, 4, 10, 11], "t": [0, 0, 0, 0, 0, 1, 1],
             "y": [0.0, 1, 2, 3, 4, 11, 13]}  # fmt: skip
    few = {**frame, "t": 1 - np.array(frame["t"])}
    for data, target in ((frame, "att"), (few, "atc")):
        made = effect_data("A", data, ("t",), "y", ("x",), target=target)
        found = Matching(on="covariates", replacement=False).scores(made, Nuisance())
        assert found.pairs.shape == (2, 2)
        sign = 1 if target == "att" else -1
        assert_allclose(found.values, sign * (24 - 7) / 2)
    for data, target in ((frame, "atc"), (few, "att")):
        made = effect_data("A", data, ("t",), "y", ("x",), target=target)
        with pytest.raises(ValueError, match=f"replacement must be True for target {target!r}"):
            Matching(on="covariates", replacement=False).scores(made, Nuisance())
        near = Matching(on="covariates", replacement=False, caliper=9.0).scores(made, Nuisance())
        assert "have no partner" in near.notes[1]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"on": "bla"}, "Matching: on must be one of 'propensity', 'covariates', got 'bla'"),
        ({"pairing": "bla"}, "Matching: pairing must be one of"),
        ({"n_neighbors": 0}, "Matching: n_neighbors must be an integer of at least 1"),
        ({"caliper": -1.0}, "Matching: caliper must be a number above 0"),
        ({"replacement": 2}, "Matching: replacement must be True or False"),
        ({"bias_correction": "yes"}, "Matching: bias_correction must be one of"),
        ({"replacement": False, "n_neighbors": 2}, "n_neighbors must be 1 without replacement"),
    ],
)
def test_choices_without_a_meaning(given, message):
    with pytest.raises(ValueError, match=message):
        Matching(**given)


@pytest.mark.parametrize("method", ["matching", "covariate_matching", "aipw", "tmle"])
def test_an_arm_of_one_row(method):
    frame = study(40, np.random.default_rng(0)) | {"t": (np.arange(40) == 3).astype(int)}
    with pytest.raises(ValueError, match="treatment must be with at least two rows of every"):
        AverageEffect(None, "t", "y", COVARIATES, method, clip=0.01).fit(frame)


def test_amounts_are_refused_by_name():
    x, y = np.random.default_rng(0).standard_normal((2, 50))
    need = "treatment must be of levels for matching, got 'amounts of dose'"
    with pytest.raises(ValueError, match=need):
        AverageEffect(None, "dose", "y", ["z"], "matching").fit({"dose": x, "y": y, "z": x + y})


def three_levels(n, rng):
    """Effects 1 and 2 + x of the second and third level, chosen by x and z."""
    x, z = rng.standard_normal((2, n))
    chances = np.exp(np.column_stack([0 * x, 0.6 * x, 0.6 * z]))
    t = (rng.random(n)[:, None] > np.cumsum(chances / chances.sum(1, keepdims=True), 1)).sum(1)
    y = x + z + (t == 1) + (2 + x) * (t == 2) + rng.standard_normal(n)
    return {"x": x, "z": z, "t": t, "y": y}


@pytest.mark.parametrize("on", ["covariates", "propensity"])
def test_several_levels_against_loops(on):
    """causal.22: every level is imputed for the rows of all others, and errors row by row"""
    data = effect_data("A", three_levels(90, np.random.default_rng(2)), ("t",), "y", ("x", "z"))
    scores = Matching(on=on, n_neighbors=2, bias_correction=False).scores(data, Nuisance())
    y, arms = data.y, data.arms
    if on == "covariates":
        places = [np.linalg.solve(np.linalg.cholesky(np.cov(data.X.T)), data.X.T).T] * 3
    else:
        e = Nuisance().propensities(data)
        places = [np.log(e[:, [a]] / (1 - e[:, [a]])) for a in range(3)]
    Y, served, noise = np.empty((90, 3)), np.zeros((90, 3)), np.zeros(90)
    for a, P in enumerate(places):
        inside = np.flatnonzero(arms == a)
        for i in range(90):
            gaps = np.linalg.norm(P[inside] - P[i], axis=1)
            if arms[i] == a:
                Y[i, a] = y[i]
                gaps[inside == i] = np.inf
                noise[i] = (y[i] - y[inside[np.argmin(gaps)]]) ** 2 / 2
            else:
                near = inside[np.argsort(gaps)[:2]]
                Y[i, a] = y[near].mean()
                served[near, a] += 1
    assert_allclose(list(scores.means.values()), Y.mean(axis=0))
    assert_allclose(scores.values, Y[:, 1:].mean(axis=0) - Y[:, 0].mean())
    for j, a in enumerate((1, 2)):
        gain = Y[:, a] - Y[:, 0]
        # the squared gains hold each own noise once, and that of partners in quarters
        K = served[:, a] + served[:, 0]
        extra = np.where(np.isin(arms, (0, a)), (1 + K / 2) ** 2 - 1 - K / 4, 0.0)
        variance = ((gain - gain.mean()) ** 2).sum() + extra @ noise
        assert_allclose(scores.variance[j], variance / 90**2)
    assert_allclose((scores.influence**2).sum(axis=0) / 90**2, scores.variance)


@pytest.mark.parametrize("method", ["matching", "covariate_matching", "propensity_strata"])
def test_coverage_of_several_levels(method):
    """causal.20, causal.22: both effects of three levels, at the level of the intervals"""
    rng, inside, times = np.random.default_rng(3), np.zeros(2), 100
    method = {"propensity_strata": PropensityStratification(10)}.get(method, method)
    model = AverageEffect(None, "t", "y", ["x", "z"], method, level=0.9)
    values = []
    for _ in range(times):
        model.fit(three_levels(500, rng))
        low, high = np.array(model.interval_).T if np.ndim(model.interval_[0]) else model.interval_
        inside += (low <= [1, 2]) & (high >= [1, 2])
        values.append(model.effect_)
    low, high = binom.ppf([0.0005, 0.9995], times, 0.9)
    assert (low <= inside).all()
    assert (inside <= high).all()
    assert_allclose(np.mean(values, axis=0), [1, 2], atol=0.08)


def test_disjoint_pairs_are_of_two_levels():
    data = effect_data("A", three_levels(60, np.random.default_rng(0)), ("t",), "y", ("x", "z"))
    with pytest.raises(ValueError, match="replacement must be True for more than two levels"):
        Matching(replacement=False).scores(data, Nuisance())
