"""Kernels from kernels of parts (kernels.30)."""

import numpy as np
import pytest
from graph_draws import draw_graphs
from numpy.testing import assert_allclose, assert_array_equal

from margin.kernels import (
    RBF,
    Constant,
    Convolution,
    Delta,
    Linear,
    Spectrum,
    VertexHistogram,
    normalise,
    tensor,
)
from margin.kernels.parts import _convolution
from margin.testing import KernelContract


def pairs(word):
    return [word[i : i + 2] for i in range(len(word) - 1)]


class TestConvolution(KernelContract):
    def make(self):
        return [
            Convolution(RBF(0.7)),
            Convolution(2.0 * RBF((0.7, 1.2)) + Linear()),
            normalise(Convolution(RBF(1.5))),
        ]

    def draw(self, rng, n):
        return [rng.normal(size=(size, 2)) for size in rng.integers(0, 4, n)]


def test_strings_and_graphs_from_the_delta_kernel():
    """kernels.30: spectrum and label counts are convolutions of kernels.27."""
    rng = np.random.default_rng(0)
    words = ["".join(rng.choice(list("AB"), size)) for size in (7, 0, 1, 9, 5)]
    assert_array_equal(Convolution(Delta(), pairs)(words), Spectrum(2)(words))
    graphs = draw_graphs(rng, 5)
    labels = Convolution(Delta(), lambda g: [label for _, label in g.nodes(data="label")])
    assert_array_equal(labels(graphs), VertexHistogram()(graphs))


@pytest.mark.parametrize("entries", [1, 40, 10**6])
def test_blocks_and_empty_objects(entries, monkeypatch):
    monkeypatch.setattr(_convolution, "BLOCK_ENTRIES", entries)
    rng = np.random.default_rng(1)
    X = [rng.normal(size=(size, 2)) for size in (0, 3, 0, 0, 2, 5, 0)]
    kernel = RBF(1.0)
    wanted = [[kernel(x, z).sum() if len(x) and len(z) else 0.0 for z in X] for x in X]
    assert_allclose(Convolution(kernel)(X), wanted, rtol=1e-12)
    assert_array_equal(Convolution(kernel)([X[0]], [X[2]]), [[0.0]])
    assert Convolution(kernel)([X[0]]).shape == (1, 1)
    assert_array_equal(Convolution(kernel).gradient([X[0]]), np.zeros((1, 1, 1)))


def test_parts_that_are_tuples():
    """A word at a place: letters must match, places should be near."""
    kernel = Convolution(tensor(Delta(), RBF(1.0)), lambda w: [(c, [i]) for i, c in enumerate(w)])
    K = kernel(["ab"], ["ba"])
    assert_allclose(K, [[2 * np.exp(-0.5)]], rtol=1e-12)
    assert kernel.theta_names == Convolution(kernel.kernel).theta_names


def test_hyper_parameters_are_those_of_the_parts():
    kernel = Convolution(2.0 * Constant(3.0))
    assert kernel.with_theta(np.zeros(len(kernel.theta)))([[1, 2]])[0, 0] == 4.0


def test_refusals():
    with pytest.raises(ValueError, match="Convolution: kernel must be a kernel"):
        Convolution(list)
    with pytest.raises(ValueError, match="Convolution: parts must be a function of one object"):
        Convolution(Delta(), 3)
    with pytest.raises(ValueError, match="Convolution: X must be a list of objects, got 'str'"):
        Convolution(Delta())("word")
