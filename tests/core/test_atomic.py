import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.base import BaseEstimator

from margin.core import FitError, atomic
from margin.core._atomic import defect


class Model(BaseEstimator):
    def __init__(self, alpha=1.0):
        self.alpha = alpha

    @atomic
    def fit(self, X, *, then=None):
        """Fit it."""
        self.seen_ = X
        if then is not None:
            self.half_ = X
            del self.n_
            raise then
        self.n_ = len(X)
        return self


def test_a_fit_that_works_is_left_alone():
    model = Model()
    assert model.fit([1, 2]) is model
    assert vars(model) == {"alpha": 1.0, "seen_": [1, 2], "n_": 2}


@pytest.mark.parametrize("error", [ValueError("bad"), KeyboardInterrupt(), MemoryError()])
def test_a_fit_that_raises_leaves_the_old_model(error):
    model = Model(alpha=3.0).fit([1, 2])
    before = dict(vars(model))
    with pytest.raises(type(error)):
        model.fit([9, 9, 9], then=error)
    assert vars(model) == before


def test_a_first_fit_that_raises_leaves_an_unfitted_model():
    model = Model()
    with pytest.raises(AttributeError):
        model.fit([1], then=ValueError())
    assert vars(model) == {"alpha": 1.0}


def test_the_wrapper_keeps_name_and_docstring():
    assert Model.fit.__name__ == "fit"
    assert Model.fit.__doc__ == "Fit it."


@pytest.mark.parametrize(
    "error",
    [
        np.linalg.LinAlgError("SVD did not converge"),
        ZeroDivisionError("float division by zero"),
        OverflowError("cannot convert float infinity to integer"),
        FloatingPointError("underflow"),
        ValueError("array must not contain infs or NaNs"),
        ValueError("cannot convert float NaN to integer"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_arithmetic_that_breaks_down_below_is_our_error(error):
    model = Model(alpha=3.0).fit([1, 2])
    before = dict(vars(model))
    with pytest.raises(FitError, match=f"^Model: the arithmetic broke down .{error}") as caught:
        model.fit([9], then=error)
    assert caught.value.__cause__ is error
    assert vars(model) == before


def test_our_own_words_are_left_alone():
    with pytest.raises(FitError, match=r"^Ridge: no$"):
        Model().fit([1, 2]).fit([1], then=FitError("Ridge: no"))


NOTHING = np.array([1.0, np.nan])


@pytest.mark.parametrize(
    "bad", [float("nan"), np.float64("nan"), NOTHING, NOTHING.astype("f4"), csr_array([NOTHING])]
)
def test_a_fitted_attribute_with_nan_is_no_model(bad):
    class Hollow(Model):
        @atomic
        def fit(self, X):
            self.seen_ = X
            return self

    model = Hollow().fit([1])
    with pytest.raises(FitError, match=r"^Hollow: seen_ came out as NaN; scale"):
        model.fit(bad)
    assert model.seen_ == [1]


@pytest.mark.parametrize(
    "good",
    [1.0, np.array([np.inf, -np.inf]), np.array([1, 2]), np.array(["a"]), [np.nan], None],
    ids=str,
)
def test_infinities_and_what_is_no_array_of_floats_may_stay(good):
    assert defect(good) == ""


@pytest.mark.parametrize("name", ["coef_", "intercept_", "dual_coef_"])
def test_coefficients_are_finite(name):
    class Steep(Model):
        @atomic
        def fit(self, X):
            setattr(self, name, X)
            return self

    for bad in (np.inf, np.array([1.0, -np.inf]), csr_array([[np.inf]])):
        with pytest.raises(FitError, match=f"^Steep: {name} is beyond the largest number"):
            Steep().fit(bad)
    # Their sum is beyond it, they are not.
    assert hasattr(Steep().fit(np.full(3, 1e308)), name)


def test_nan_where_a_class_says_that_it_means_no_answer():
    class Partly:
        nan_attributes = ("unseen_",)

        @atomic
        def fit(self, name):
            setattr(self, name, np.array([1.0, np.nan]))

    model = Partly()
    model.fit("unseen_")
    assert np.isnan(model.unseen_[1])
    with pytest.raises(FitError, match="seen_ came out as NaN"):
        model.fit("seen_")


@pytest.mark.parametrize("kind", ["csr", "csc", "coo", "dok", "lil", "dia", "bsr"])
def test_sparse_matrices_of_any_format_are_looked_at(kind):
    fine, broken = csr_array([[1.0, 0.0], [0.0, 2.0]]), csr_array([[1.0, 0.0], [0.0, np.nan]])
    assert defect(fine.asformat(kind)) == ""
    assert defect(broken.asformat(kind)) == "came out as NaN"
