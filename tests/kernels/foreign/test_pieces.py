"""Parts of a kernel of scikit-learn become the quickest of ours."""

import numpy as np
from sklearn.gaussian_process import kernels as sk

from margin.kernels import RBF, Foreign, Matern, Periodic, Scaled, Sum, White
from margin.kernels.foreign._pieces import pieced


def test_sums_are_flat_and_constants_are_factors():
    piece = pieced(sk.RBF(2.0) * 3.0 + sk.Matern(nu=0.5) + sk.WhiteKernel(0.5), None)
    assert piece.kernel == Sum((Scaled(RBF(2.0), 3.0), Matern(1.0, nu=0.5), White(0.5)))
    assert piece.places == (1, 0, 2, 3)


def test_a_length_scale_in_a_list_of_one():
    assert pieced(sk.RBF(np.array([2.0])), None).kernel == RBF(2.0)


def test_periodic_only_on_a_line():
    theirs = sk.ExpSineSquared(1.0, 2.0)
    assert pieced(theirs, 1).kernel == Periodic(1.0, 2.0)
    assert isinstance(pieced(theirs, 2).kernel, Foreign)
    assert isinstance(pieced(theirs, None).kernel, Foreign)
