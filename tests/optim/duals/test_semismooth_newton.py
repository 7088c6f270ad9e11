"""SemismoothNewton: the optimum of a general solver, with and without shrinking or an intercept."""

from linear_dual_problems import LinearDualContract

from margin.optim import SemismoothNewton


class TestSemismoothNewton(LinearDualContract):
    """svm.09"""

    solver = SemismoothNewton
