import warnings

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import BaseEstimator
from sklearn.exceptions import ConvergenceWarning, NotFittedError

from margin.core import Certificate, FitError, FitReport, Solution, Status, check


class Model(BaseEstimator):
    def __init__(self, value=None):
        self.value = value

    def fit(self, X, y):
        return self


def refusal(call, *args, error=ValueError, **kwargs):
    with pytest.raises(error) as caught:
        call(*args, **kwargs)
    return str(caught.value)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_data_keeps_floats_and_records_the_features(dtype):
    model = Model()
    X, y, weight = check.data(model, np.ones((3, 2), dtype=dtype), [1, 2, 3])
    assert X.dtype == dtype
    assert y.dtype == np.float64
    assert weight is None
    assert model.n_features_in_ == 2


@pytest.mark.parametrize("dtype", [np.int32, np.uint8, bool, object])
def test_data_makes_anything_else_float64(dtype):
    X, _, _ = check.data(Model(), np.ones((3, 2), dtype=dtype), [1, 2, 3])
    assert X.dtype == np.float64


def test_data_keeps_labels_of_a_classification():
    _, y, _ = check.data(Model(), np.ones((2, 1)), ["a", "b"], target="classes")
    assert y.tolist() == ["a", "b"]


def test_data_sparse_becomes_csr_or_is_refused():
    X = sparse.coo_array(np.eye(3))
    made, _, _ = check.data(Model(), X, [1, 2, 3], sparse=True)
    assert made.format == "csr"
    assert "dense" in refusal(check.data, Model(), X, [1, 2, 3], error=TypeError)


def test_data_refuses_nan_and_infinity_unless_missing_is_allowed():
    X = np.array([[np.nan], [1.0]])
    assert "Model" in refusal(check.data, Model(), X, [1, 2])
    kept, _, _ = check.data(Model(), X, [1, 2], missing=True)
    assert np.isnan(kept[0, 0])
    assert "infinity" in refusal(check.data, Model(), np.array([[np.inf], [1]]), [1, 2])
    with_infinity = np.array([[np.inf], [1]])
    assert "infinity" in refusal(check.data, Model(), with_infinity, [1, 2], missing=True)


def test_data_order_and_multi_output():
    X, y, _ = check.data(Model(), np.ones((4, 3)), np.ones((4, 2)), order="F", multi_output=True)
    assert X.flags.f_contiguous
    assert y.shape == (4, 2)
    assert "1d" in refusal(check.data, Model(), np.ones((4, 3)), np.ones((4, 2)))


def test_data_without_reset_holds_against_the_first_fit():
    model = Model()
    check.data(model, np.ones((3, 2)), [1, 2, 3])
    message = refusal(check.data, model, np.ones((3, 4)), [1, 2, 3], reset=False)
    assert "4 features" in message
    assert "Model" in message


def test_table_wants_a_fitted_estimator_and_the_same_columns():
    model = Model()
    with pytest.raises(NotFittedError):
        check.table(model, np.ones((3, 2)))
    model.coef_ = np.ones(2)
    model.n_features_in_ = 2
    assert check.table(model, np.ones((3, 2), dtype=np.float32)).dtype == np.float32
    assert "3 features" in refusal(check.table, model, np.ones((3, 3)))
    assert check.table(model, sparse.csc_array(np.eye(2)), sparse=True).format == "csr"


def test_objects_come_with_one_target_each():
    class Model:
        n_features_in_ = 3

    model = Model()
    model.n_features_in_ = 2
    items, y = check.objects(model, ("ab", "c"), [1, 2])
    assert items == ["ab", "c"]
    assert y.dtype == np.float64
    assert vars(model) == {}
    assert check.objects(model, ["ab"], None, target=None) == (["ab"], None)
    labels = check.objects(model, ["a", "b"], ["x", "y"], target="classes")[1]
    assert labels.tolist() == ["x", "y"]
    assert check.objects(model, ["a"], [[1, 2]], multi_output=True)[1].shape == (1, 2)


@pytest.mark.parametrize(
    ("X", "y", "message"),
    [
        ("ab", [1, 2], "Model: X must be a list of objects, got 'one str'"),
        ([], [], "Model: X must hold at least 1 sample, got 0"),
        (["a"], None, "Model: requires y to be passed, but y is None"),
        (
            ["a"],
            [1, 2],
            "Model: y must be of length 1, one finite value per object, got 'shape (2,)'",
        ),
        (
            ["a"],
            [[1, 2]],
            "Model: y must be of length 1, one finite value per object, got 'shape (1, 2)'",
        ),
    ],
)
def test_object_refusals(X, y, message):
    assert refusal(check.objects, "Model", X, y) == message


def solution(status, message=""):
    return Solution(np.zeros(2), status, 4, 1.5, {"objective": np.arange(4.0)}, message=message)


def test_report_is_silent_when_converged():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        made = check.report(Model(), solution(Status.CONVERGED), notes=("chosen",))
    assert isinstance(made, FitReport)
    assert (made.estimator, made.n_iter, made.notes) == ("Model", 4, ("chosen",))


@pytest.mark.parametrize("status", [Status.STALLED, Status.MAX_ITER])
def test_report_warns_where_the_user_called_fit(status):
    class Fitted(Model):
        def fit(self, X=None, y=None):
            self.fit_report_ = check.report(self, solution(status, "raise max_iter"))
            return self

    with pytest.warns(ConvergenceWarning) as caught:
        made = Fitted().fit().fit_report_
    assert [str(w.message) for w in caught] == ["Fitted: raise max_iter"]
    assert caught[0].filename == __file__
    assert made.status is status


def test_report_raises_when_failed():
    broken = solution(Status.FAILED, "the Hessian is not finite")
    message = refusal(check.report, Model(), broken, error=FitError)
    assert message == "Model: the Hessian is not finite"


def test_an_answer_without_objective_is_none():
    nothing = float("nan")
    for solution in (
        Solution(np.zeros(1), Status.CONVERGED, 1, nothing),
        Solution(np.zeros(1), Status.STALLED, 1, nothing, message="stuck"),
    ):
        with pytest.raises(FitError, match=r"^Ridge: the objective came out as NaN; scale"):
            check.report("Ridge", solution)
    gap = Certificate("duality gap", nothing, 1e-6)
    with pytest.raises(FitError, match=r"^Ridge: the duality gap came out as NaN; scale"):
        check.report("Ridge", Solution(np.zeros(1), Status.CONVERGED, 1, 1.0, certificate=gap))


def test_a_method_may_have_no_objective():
    solution = Solution(np.zeros(1), Status.CONVERGED, 1, float("nan"))
    assert check.report("PC", solution, unknown_objective=True).status is Status.CONVERGED
