"""Forms of the correction: equal on paper, different in stability."""

import numpy as np
import pytest
from systems import random_system, spread

from margin.inference.filters._kalman import kalman_filter
from margin.inference.filters._update_forms import filter_by_form, kalman_update

FORMS = ["moment", "joseph", "information", "square_root"]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("rows", [None, 8])
def test_all_forms_agree_with_the_compiled_filter(form, rows):
    """sequence.34: plain, Joseph, Woodbury's information form, square root."""
    rng = np.random.default_rng(0)
    system = random_system(rng, 3, 2, rows)
    Y = rng.normal(size=(8, 2))
    Y[2] = Y[5, 0] = np.nan
    for one, two in zip(filter_by_form(system, Y, form), kalman_filter(system, Y), strict=True):
        np.testing.assert_allclose(one, two, atol=1e-9)


def test_joseph_identity():
    """sequence.34: K R K' = (I - K C) P C' K'."""
    rng = np.random.default_rng(1)
    P, R, C = spread(rng, 4), spread(rng, 2), rng.normal(size=(2, 4))
    K = P @ C.T @ np.linalg.inv(C @ P @ C.T + R)
    left = np.eye(4) - K @ C
    np.testing.assert_allclose(K @ R @ K.T, left @ P @ C.T @ K.T, atol=1e-10)


def test_small_noise_spoils_the_plain_form_only():
    """sequence.34: contrary to the claim that small noise is harmless."""
    rng = np.random.default_rng(2)
    worst = dict.fromkeys(("moment", "joseph", "square_root"), 0.0)
    for _ in range(50):
        P, C = 1e6 * spread(rng, 5), rng.normal(size=(4, 5))
        for form in worst:
            F = kalman_update(np.zeros(5), P, np.zeros(4), C, 1e-9 * np.eye(4), form)[1]
            least = np.linalg.eigvalsh((F + F.T) / 2).min()
            worst[form] = min(worst[form], float(least))
    assert worst["moment"] < -1e-11
    assert worst["square_root"] > 0.1 * worst["moment"]
    assert worst["joseph"] > worst["moment"]


def test_refusals():
    rng = np.random.default_rng(3)
    with pytest.raises(ValueError, match="form must be one of 'moment', 'joseph'"):
        kalman_update(np.zeros(1), np.eye(1), np.ones(1), np.eye(1), np.eye(1), "fast")
    system = random_system(rng, 2, 1, diffuse=np.eye(2))
    with pytest.raises(ValueError, match="without a diffuse part"):
        filter_by_form(system, np.zeros(3))
