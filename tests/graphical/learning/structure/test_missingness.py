"""graphical.21: what the pattern of unknown values depends on."""

import numpy as np
import pandas as pd

from margin.graphical import missingness_report


def frame(mechanism, n=400):
    rng = np.random.default_rng(0)
    a = rng.standard_normal(n)
    b = a + rng.standard_normal(n)
    p = {"mcar": np.full(n, 0.3), "mar": 1 / (1 + np.exp(-2 * a)), "none": np.zeros(n)}[mechanism]
    return pd.DataFrame(
        {"a": a, "b": np.where(rng.random(n) < p, np.nan, b), "k": ["u", "v"] * (n // 2)}
    )


def test_verdicts():
    """graphical.21: MCAR can be refuted, MAR never verified."""
    assert missingness_report(frame("none")).verdict == "complete"
    assert missingness_report(frame("mcar")).verdict == "MCAR not refuted"
    found = missingness_report(frame("mar"))
    assert found.verdict == "not MCAR"
    assert found.p_values["b", "a"] < 1e-10
    assert found.p_values["b", "k"] > 0.01
    assert "b unknown depends on a" in repr(found)
    assert "cannot be verified" in repr(found)


def test_level_over_all_pairs():
    """Bonferroni holds the level although every pair is tested."""
    rng = np.random.default_rng(1)
    wrong = 0
    for _ in range(60):
        X = rng.integers(0, 3, (150, 4)).astype(float)
        X[rng.random(X.shape) < 0.2] = np.nan
        wrong += missingness_report(X).verdict == "not MCAR"
    assert wrong <= 9
