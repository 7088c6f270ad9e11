"""Several kernel matrices and their sums."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin import kernels
from margin.svm._kernel_input import KernelChoice
from margin.svm.multiple_kernel import _stack as module
from margin.svm.multiple_kernel._stack import (
    candidates,
    checked_matrices,
    given_stack,
    kernel_stack,
    query_stack,
)

X = np.random.default_rng(0).normal(size=(15, 2)) * [1.0, 5.0]
PARTS = [kernels.Linear(), kernels.RBF(2.0)]
CHOICES = [KernelChoice(part) for part in PARTS]


def test_sums_as_matrix_and_as_kernel_agree():
    stack = kernel_stack("Owner", CHOICES, X)
    weights = np.array([0.3, 0.7])
    assert_allclose(stack.combined(weights), stack.kernel(weights)(X), rtol=1e-10)
    B = np.random.default_rng(1).normal(size=(15, 2))
    products = stack.products(B)
    assert_allclose(np.tensordot(weights, products, 1), stack.combined(weights) @ B, rtol=1e-10)
    assert stack.kernel(np.array([0.0, 1.0])).kernel == PARTS[1]


def test_normalised_kernels_have_unit_variance_in_feature_space():
    stack = kernel_stack("Owner", CHOICES, X)
    assert_allclose(stack.factors[0], 1.0 / X.var(axis=0).sum())
    for factor, K in zip(stack.factors, stack.matrices, strict=True):
        assert_allclose(factor * (np.trace(K) / 15 - K.mean()), 1.0)
    plain = kernel_stack("Owner", CHOICES, X, normalize=False)
    assert_allclose(plain.factors, 1.0)


def test_weights_are_repeated_rows_and_constants_are_left_alone():
    weight = np.arange(1.0, 16.0)
    choices = [*CHOICES, KernelChoice(kernels.Constant(3.0))]
    twice = kernel_stack("Owner", choices, np.repeat(X, weight.astype(int), axis=0))
    assert_allclose(kernel_stack("Owner", choices, X, weight).factors, twice.factors)
    assert twice.factors[2] == 1.0


def test_default_is_linear_and_three_widths():
    choices = [KernelChoice(name, 0.5) for name in candidates("Owner", None)]
    stack = kernel_stack("Owner", choices, X, spread=True)
    assert stack.parts[0] == kernels.Linear()
    assert_allclose([part.length_scale for part in stack.parts[1:]], [10**0.5, 1.0, 10**-0.5])


@pytest.mark.parametrize("bad", ["rbf", [], ["rbf", "precomputed"], [3], 5, kernels.RBF()])
def test_what_is_no_list_of_kernels(bad):
    with pytest.raises(ValueError, match="Owner: kernels must be a list of kernels"):
        candidates("Owner", bad)


@pytest.mark.parametrize(
    ("stack", "message"),
    [
        (np.eye(3), "of shape"),
        (np.ones((2, 3, 4)), "of shape"),
        (np.full((1, 2, 2), np.nan), "finite"),
        ([[["a"]]], "an array of kernel matrices"),
        (np.array([[[1.0, 2.0], [0.0, 1.0]]]), "symmetric"),
    ],
    ids=["flat", "oblong", "nan", "words", "lopsided"],
)
def test_what_is_no_stack_of_matrices(stack, message):
    with pytest.raises(ValueError, match=message):
        checked_matrices("Owner", stack)


def test_matrices_that_were_given():
    given = np.array([X @ X.T, np.eye(15)])
    assert np.array_equal(checked_matrices("Owner", given), given)
    stack = given_stack(given, normalize=False)
    assert stack.names == ("kernel 0", "kernel 1")
    assert stack.kernel(np.ones(2)) is None
    assert_allclose(stack.combined(np.array([0.5, 2.0])), 0.5 * X @ X.T + 2 * np.eye(15))


def test_queries_need_a_matrix_per_kernel():
    weights = np.array([0.25, 0.75])
    values = query_stack("Owner", np.array([np.ones((2, 3)), np.zeros((2, 3))]), weights)
    assert_allclose(values, np.full((2, 3), 0.25))
    with pytest.raises(ValueError, match="one matrix for each of the 2 kernels"):
        query_stack("Owner", np.ones((3, 2, 3)), weights)


def test_memory_is_bounded(monkeypatch):
    monkeypatch.setattr(module, "LARGEST", 8.0 * 3 * 10**2)
    with pytest.raises(ValueError, match="at most 10 rows with 2 kernels, got 15"):
        kernel_stack("Owner", CHOICES, X)
