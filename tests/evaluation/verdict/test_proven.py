"""Scores over few folds stand where they are proven."""

import math

import numpy as np
import pytest

from margin.evaluation.race._evidence import gap
from margin.evaluation.verdict._proven import proven

SHARE = 0.25


def blocks(level, folds, spread=0.1):
    steady = np.array([-1.0, 1.0, -1.0, 1.0])
    return {f: tuple(level + spread * steady * (1 if f % 2 else -1)) for f in folds}


def standing(means, parts, **more):
    return proven(means, parts, enough=5, test_share=SHARE, **more)


def test_one_standard_error_of_the_advantage_over_the_best_is_taken_off():
    parts = {
        "best": blocks(0.75, range(5)),
        "other": blocks(0.7, range(5)),
        "few": blocks(0.8, range(2), spread=0.2),
    }
    means = {"best": 0.75, "other": 0.7, "few": 0.8}
    got = standing(means, parts)
    advantage = gap(parts["few"], parts["best"], test_share=SHARE)
    assert advantage.se > 0
    assert got == {"best": 0.75, "other": 0.7, "few": 0.8 - advantage.se}


@pytest.mark.parametrize(("difference", "leads"), [(0.02, False), (0.2, True)])
def test_a_large_advantage_leads_even_so(difference, leads):
    rng = np.random.default_rng(0)
    parts = {
        "sure": {f: tuple(0.7 + 0.1 * rng.normal(size=10)) for f in range(5)},
        "few": {f: tuple(0.7 + difference + 0.1 * rng.normal(size=10)) for f in range(2)},
    }
    got = standing({"sure": 0.7, "few": 0.7 + difference}, parts)
    assert (got["few"] > got["sure"]) is leads


def test_without_models_of_enough_folds_scores_stay():
    means = {"a": 0.8, "base": 0.5}
    parts = {"a": blocks(0.8, range(4)), "base": blocks(0.5, range(5))}
    assert standing(means, parts, baselines=["base"]) == means
    assert standing({}, {}) == {}


def test_an_unknown_error_lifts_nobody_above_the_proven():
    parts = {"sure": blocks(0.7, range(5)), "few": {0: ()}, "weak": {0: ()}}
    means = {"sure": 0.7, "few": 0.9, "weak": 0.4}
    assert standing(means, parts) == {"sure": 0.7, "few": 0.7, "weak": 0.4}


def test_no_model_is_held_against_one_without_a_score():
    parts = {"broken": blocks(0.7, range(5)), "few": blocks(0.9, range(1))}
    got = standing({"broken": math.nan, "few": 0.9}, parts)
    assert got["few"] == 0.9
    assert math.isnan(got["broken"])
