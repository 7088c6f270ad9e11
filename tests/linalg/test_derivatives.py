import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.linalg import DERIVATIVES, Derivative, derivative_error, numerical_gradient

VECTOR = {"a'x", "x'x", "x'Ax", "|Ax - b|^2", "log sum exp x"}
SQUARE = {"tr(AX^-1)", "det X", "log |det X|"}


def case(function, rng):
    """A random variable and the constants of each row, oblong wherever the formula allows."""
    if function in VECTOR:
        X = rng.normal(size=4)
    elif function in SQUARE:
        X = rng.normal(size=(3, 3)) + 3 * np.eye(3)
    else:
        X = rng.normal(size=(3, 4))
    shapes = {
        "a'x": {"a": (4,)},
        "x'Ax": {"A": (4, 4)},
        "|Ax - b|^2": {"A": (5, 4), "b": (5,)},
        "a'Xb": {"a": (3,), "b": (4,)},
        "a'X'b": {"a": (4,), "b": (3,)},
        "tr(AX)": {"A": (4, 3)},
        "tr(A'X)": {"A": (3, 4)},
        "tr(XAX')": {"A": (4, 4)},
        "tr(X'AX)": {"A": (3, 3)},
        "tr(A'X'XA)": {"A": (4, 2)},
        "tr(AX^-1)": {"A": (3, 3)},
    }.get(function, {})
    return X, {name: rng.normal(size=shape) for name, shape in shapes.items()}


@pytest.mark.parametrize("function", DERIVATIVES)
def test_table_agrees_with_central_differences(function):
    """linalg.04: every row, on random matrices without symmetry."""
    rng = np.random.default_rng(len(function))
    for _ in range(5):
        X, constants = case(function, rng)
        assert derivative_error(DERIVATIVES[function], X, **constants) < 1e-7


@pytest.mark.parametrize(
    ("function", "misprint"),
    [
        ("x'Ax", lambda X, A: 2 * A @ X),
        ("tr(XAX')", lambda X, A: X @ (2 * A)),
        ("tr(AX^-1)", lambda X, A: -(np.linalg.inv(X) @ A @ np.linalg.inv(X))),
    ],
)
def test_common_misprints_are_found(function, misprint):
    """linalg.04: the check can fail; forms that hold for symmetric matrices only are caught."""
    X, constants = case(function, np.random.default_rng(0))
    right = DERIVATIVES[function]
    wrong = Derivative(right.function, "misprint", right.value, misprint)
    assert derivative_error(wrong, X, **constants) > 0.05


def test_gradient_in_the_wrong_layout_is_refused():
    X, constants = case("tr(AX)", np.random.default_rng(0))
    wrong = Derivative("tr(AX)", "A", DERIVATIVES["tr(AX)"].value, lambda X, A: A)
    with pytest.raises(ValueError, match=r"must have shape \(3, 4\), got \(4, 3\)"):
        derivative_error(wrong, X, **constants)


def test_numerical_gradient_of_any_shape_leaves_its_point_alone():
    X = np.arange(6.0).reshape(1, 2, 3)
    kept = X.copy()
    assert_allclose(numerical_gradient(lambda x: np.sum(x**3), X), 3 * X**2, atol=1e-8)
    assert np.array_equal(X, kept)
    assert numerical_gradient(lambda x: float(x) ** 2, 3.0) == pytest.approx(6.0)


def test_steps_follow_the_size_of_the_entries():
    """A step of fixed size would see no change of the logarithm at 1e8."""
    measured = numerical_gradient(lambda x: float(np.sum(np.log(x))), [1e8, 1.0])
    assert_allclose(measured, [1e-8, 1.0], rtol=1e-6)


def test_rows_read_as_on_paper_and_the_table_is_read_only():
    assert repr(DERIVATIVES["x'Ax"]) == "d x'Ax / dX = (A + A') x"
    with pytest.raises(TypeError):
        DERIVATIVES["x"] = None
