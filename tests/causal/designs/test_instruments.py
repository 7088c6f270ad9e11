import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.stats import binom

from margin.causal import InstrumentalVariables


def world(n, rng, strength=1.0, n_z=2):
    Z, w, u = rng.standard_normal((n, n_z)), rng.standard_normal(n), rng.standard_normal(n)
    t = strength * Z.sum(axis=1) + w + u + rng.standard_normal(n)
    y = 2 * t - w + 2 * u + rng.standard_normal(n)
    return {**{f"z{j}": Z[:, j] for j in range(n_z)}, "w": w, "t": t, "y": y}


def test_one_instrument_is_the_wald_ratio():
    """causal.24: all methods agree with the ratio of covariances"""
    frame = world(200, np.random.default_rng(0), n_z=1)
    z, t, y = (frame[k] - frame[k].mean() for k in ("z0", "t", "y"))
    for method in ("2sls", "liml", "gmm"):
        model = InstrumentalVariables("t", "y", "z0", method=method).fit(frame)
        assert_allclose(model.effect_, (z @ y) / (z @ t))
        u = y - model.effect_ * t
        assert_allclose(model.std_error_, np.sqrt((z**2) @ u**2) / abs(z @ t))
        assert model.overidentification_ is None


def test_two_stages_and_first_stage_f_by_hand():
    frame = world(300, np.random.default_rng(1))
    model = InstrumentalVariables("t", "y", ["z0", "z1"], covariates=["w"]).fit(frame)
    W = np.column_stack([np.ones(300), frame["w"]])
    full = np.column_stack([W, frame["z0"], frame["z1"]])
    first = full @ np.linalg.lstsq(full, frame["t"], rcond=None)[0]
    D = np.column_stack([W, first])
    assert_allclose(model.effect_, np.linalg.lstsq(D, frame["y"], rcond=None)[0][2])
    short = frame["t"] - W @ np.linalg.lstsq(W, frame["t"], rcond=None)[0]
    long = frame["t"] - first
    F = (short @ short - long @ long) / 2 / (long @ long / 296)
    assert_allclose(model.first_stage_f_, F)
    assert model.endogeneity_[1] < 0.05
    assert model.overidentification_[1] > 0.001
    assert "first-stage F" in repr(model.summary())


def test_liml_is_the_smallest_ratio():
    frame = world(150, np.random.default_rng(2))
    model = InstrumentalVariables("t", "y", ["z0", "z1"], method="liml").fit(frame)
    Z = np.column_stack([frame["z0"], frame["z1"]])
    Z, t, y = Z - Z.mean(axis=0), frame["t"] - frame["t"].mean(), frame["y"] - frame["y"].mean()

    def ratio(b):
        u = y - b * t
        inside = u @ Z @ np.linalg.solve(Z.T @ Z, Z.T @ u)
        return (u @ u) / (u @ u - inside)

    here = ratio(model.effect_)
    assert all(here <= ratio(model.effect_ + d) + 1e-12 for d in (-0.1, -1e-3, 1e-3, 0.1))


@pytest.mark.parametrize("method", ["2sls", "liml", "gmm"])
def test_coverage(method):
    rng, inside = np.random.default_rng(3), 0
    for _ in range(100):
        frame = world(200, rng)
        model = InstrumentalVariables("t", "y", ["z0", "z1"], covariates="w", method=method)
        low, high = model.set_params(level=0.9).fit(frame).interval_
        inside += low <= 2 <= high
    assert binom.ppf(0.001, 100, 0.9) <= inside <= binom.ppf(0.999, 100, 0.9)


def test_weak_instruments_are_said_and_covered():
    rng, inside = np.random.default_rng(4), 0
    for _ in range(60):
        model = InstrumentalVariables("t", "y", "z0").fit(world(100, rng, 0.1, n_z=1))
        assert model.weak_ or model.first_stage_f_ >= 10
        held = model.anderson_rubin_
        inside += held is not None and held[0] <= 2 <= held[1]
    assert inside >= binom.ppf(0.001, 60, 0.95)
    assert "weak" in repr(InstrumentalVariables("t", "y", "z0").fit(
        world(80, np.random.default_rng(9), 0.0, n_z=1)).summary())  # fmt: skip


def test_several_treatments_bootstrap_and_weights():
    rng = np.random.default_rng(5)
    frame = world(2000, rng, n_z=3)
    frame["s"] = frame["z0"] - frame["z2"] + rng.standard_normal(2000)
    frame["y"] = frame["y"] + 3 * frame["s"]
    model = InstrumentalVariables(
        ["t", "s"], "y", ["z0", "z1", "z2"], covariates=["w"], n_bootstrap=200, random_state=0
    ).fit(frame)
    assert_allclose(model.effect_, [2, 3], atol=0.3)
    copies = rng.integers(1, 3, 2000)
    rows = np.repeat(np.arange(2000), copies)
    heavy = InstrumentalVariables("t", "y", "z0").fit(frame, sample_weight=copies)
    long = InstrumentalVariables("t", "y", "z0").fit({k: v[rows] for k, v in frame.items()})
    assert_allclose(heavy.effect_, long.effect_)


def test_what_is_refused():
    frame = world(50, np.random.default_rng(0))
    frame["copy"], frame["one"] = 2 * frame["z0"], np.ones(50)
    for given, message in (
        ({"instruments": ["z0", "copy"]}, "neither constant nor combinations of each other"),
        ({"instruments": "one"}, "neither constant nor combinations"),
        ({"instruments": "z0", "treatment": ["t", "w"]}, "instruments must be at least 2"),
        ({"instruments": "z0", "method": "magic"}, "method must be one of"),
        ({"instruments": "q"}, "with a column 'q'"),
        ({"instruments": None}, "instruments must be the name of a column"),
    ):
        with pytest.raises(ValueError, match=message):
            InstrumentalVariables(**{"treatment": "t", "outcome": "y", **given}).fit(frame)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"instruments": "t"}, "instruments must be columns that have no other role, got 't'"),
        ({"instruments": ["z0", "y"]}, "instruments must be columns that have no other role"),
        ({"outcome": "t"}, "outcome must be columns that have no other role, got 't'"),
        ({"covariates": ["z0"]}, "covariates must be columns that have no other role"),
        ({"outcome": ["y", "w"]}, "outcome must be one column"),
        ({"n_bootstrap": -1}, "n_bootstrap must be 0, or an integer of at least 2"),
        ({"level": 2.0}, "InstrumentalVariables: level must be a number between 0 and 1"),
    ],
)
def test_columns_have_one_role(given, message):
    frame = world(50, np.random.default_rng(0))
    plain = {"treatment": "t", "outcome": "y", "instruments": "z0"}
    with pytest.raises(ValueError, match=message):
        InstrumentalVariables(**{**plain, **given}).fit(frame)


@pytest.mark.parametrize("method", ["2sls", "liml", "gmm"])
def test_clusters_of_copies_count_once(method):
    """Three copies of every row, clustered: the errors and Hansen's J of the rows alone."""
    frame = world(150, np.random.default_rng(6))
    tripled = {k: np.repeat(v, 3) for k, v in frame.items()} | {"who": np.repeat(range(150), 3)}
    alone = InstrumentalVariables("t", "y", ["z0", "z1"], method=method).fit(frame)
    model = InstrumentalVariables("t", "y", ["z0", "z1"], method=method)
    for clusters in ("who", tripled["who"]):
        model.fit(tripled, clusters=clusters)
        assert_allclose(model.effect_, alone.effect_)
        assert_allclose(model.std_error_, alone.std_error_ * np.sqrt(150 / 149), rtol=1e-9)
        assert_allclose(model.overidentification_, alone.overidentification_)
    with pytest.raises(ValueError, match="clusters must be more than the 2 instruments, got 2"):
        model.fit(tripled, clusters=tripled["who"] % 2)
    model.set_params(n_bootstrap=300, random_state=0).fit(tripled, clusters="who")
    assert_allclose(model.std_error_, alone.std_error_, rtol=0.2)


def test_clusters_cover_where_rows_alone_do_not():
    """Errors and instruments common to groups of twenty."""
    rng, inside = np.random.default_rng(7), {True: 0, False: 0}
    who = np.repeat(np.arange(40), 20)
    for _ in range(120):
        z, u, v = rng.standard_normal((3, 40))[:, who]
        t = z + u + rng.standard_normal(800)
        frame = {"z": z, "t": t, "y": 2 * t + u + v + rng.standard_normal(800)}
        for by in inside:
            model = InstrumentalVariables("t", "y", "z", level=0.9)
            low, high = model.fit(frame, clusters=who if by else None).interval_
            inside[by] += low <= 2 <= high
    assert binom.ppf(0.0005, 120, 0.9) <= inside[True] <= binom.ppf(0.9995, 120, 0.9)
    assert inside[False] < binom.ppf(0.0005, 120, 0.9)


def test_rows_of_no_weight_need_not_be_known():
    frame = world(100, np.random.default_rng(8))
    holes = {k: np.array(v, dtype=float) for k, v in frame.items()}
    holes["z0"][5] = np.nan
    weight = np.where(np.arange(100) == 5, 0.0, 1.0)
    rest = {k: v[weight > 0] for k, v in frame.items()}
    found = InstrumentalVariables("t", "y", "z0").fit(holes, sample_weight=weight)
    wanted = InstrumentalVariables("t", "y", "z0").fit(rest)
    assert_allclose(found.interval_, wanted.interval_)
