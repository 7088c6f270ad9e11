"""What machines with several kernels share."""

import numpy as np
import pytest

from margin.kernels import RBF, Spectrum
from margin.svm import MultipleKernelSVC, MultipleKernelSVR

BOTH = pytest.mark.parametrize("make", [MultipleKernelSVC, MultipleKernelSVR])


@BOTH
def test_one_kernel_says_what_the_data_are(make):
    assert make(kernels="precomputed").kernel == "precomputed"
    assert make(kernels=["rbf", RBF(2.0)]).kernel == "rbf"
    assert make(kernels=[lambda X, Z: None, Spectrum(2)]).kernel == Spectrum(2)
    assert make(kernels="precomputed").__sklearn_tags__().input_tags.three_d_array
    assert not make().__sklearn_tags__().input_tags.pairwise


@BOTH
@pytest.mark.parametrize(
    "name", ["C", "tol", "max_iter", "normalize", "strategy", "norm", "degree"]
)
def test_every_parameter_is_checked(make, name):
    with pytest.raises(ValueError, match=f"{make.__name__}: {name} must be"):
        make(**{name: "no"})._check_weights()


@BOTH
def test_many_kernels_are_not_all_listed(make):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(30, 2))
    model = make(kernels=[RBF(0.5 + 0.1 * k) for k in range(25)], strategy="mean")
    notes = model.fit(X, X[:, 0] > 0).fit_report_.notes
    assert sum("weight" in note for note in notes) == 20
