"""The plain values that a comparison returns."""

from dataclasses import FrozenInstanceError, fields

import pytest

from margin.evaluation import Baseline, Comparison, ModelResult


def test_results_cannot_be_changed_afterwards():
    with pytest.raises(FrozenInstanceError):
        Baseline("mean", 0.0).score = 1.0  # type: ignore[misc]


def test_settings_are_not_shared_between_results():
    a, b = (ModelResult(m, "linear", 0.5, 0.1, (0.5,), 0.1, 0.1, "converged") for m in ("a", "b"))
    a.params["alpha"] = 1.0
    assert b.params == {}


def test_comparison_needs_all_but_what_may_be_absent():
    optional = {f.name for f in fields(Comparison) if f.default is not f.default_factory}
    assert optional >= {"interrupted", "out_of_budget", "warnings", "skipped"}
    required = {f.name for f in fields(Comparison)} - optional
    with pytest.raises(TypeError, match=f"{len(required)} required"):
        Comparison()  # type: ignore[call-arg]
