"""The same numbers in another container give the same model."""

from typing import Any

import numpy as np
from scipy import sparse
from sklearn.base import is_regressor

from margin.testing._outputs import answers_rows, assert_same, numbers, outputs
from margin.testing._refusal import refusal
from margin.testing._samples import fitted, fitted_precisely, sample_for


def check_read_only(name: str, estimator: Any) -> None:
    """Arrays that may not be written to, even mapped from a file, are as good as others."""
    sample = sample_for(estimator)
    model = fitted(estimator, sample.X, sample.y)
    for array in sample:
        if array is not None:
            array.setflags(write=False)
    locked = fitted(estimator, sample.X, sample.y)
    assert_same(model, locked, sample.X, f"{name} on read-only input")


def check_memory_order(name: str, estimator: Any) -> None:
    """Fortran order and strides do not matter, beyond rounding."""
    X, y, _ = sample_for(estimator)
    model = fitted_precisely(estimator, X, y)
    wide = np.repeat(np.repeat(X, 2, axis=0), 3, axis=1)
    for what, same in (("Fortran-ordered", np.asfortranarray(X)), ("strided", wide[::2, ::3])):
        other = fitted_precisely(estimator, same, y)
        assert_same(model, other, X, f"{name} fitted on {what} input", rtol=1e-7)
        given, wanted = outputs(model, same), outputs(model, X)
        for method, answer in numbers(wanted).items():
            np.testing.assert_allclose(given[method], answer, rtol=1e-10, atol=1e-12)


def check_dtype(name: str, estimator: Any) -> None:
    """Single precision stays single, double stays double, and both mean the same."""
    X, y, _ = sample_for(estimator)
    narrow = fitted(estimator, X.astype(np.float32), y)
    wide = fitted(estimator, X, y)
    for model, dtype in ((narrow, np.float32), (wide, np.float64)):
        for attribute in ("coef_", "intercept_"):
            value = getattr(model, attribute, None)
            if isinstance(value, np.ndarray | np.generic):
                assert value.dtype == dtype, f"{name}: {attribute} is {value.dtype}, not {dtype}"
        if hasattr(model, "coef_"):
            for method, answer in numbers(outputs(model, X.astype(dtype))).items():
                if method.startswith("predict_dist"):
                    continue  # distributions compute in double precision throughout
                assert answer.dtype == dtype, f"{name}: {method} is {answer.dtype}, not {dtype}"
    for method, answer in numbers(outputs(wide, X)).items():
        other = outputs(narrow, X.astype(np.float32))[method]
        scale = float(np.abs(answer).max())
        np.testing.assert_allclose(
            other, answer, rtol=1e-2, atol=1e-3 * scale, err_msg=f"{name}: {method} in float32"
        )


def check_integers_and_objects(name: str, estimator: Any) -> None:
    """Integers, booleans and objects that are numbers are numbers; other objects are refused."""
    X, y, _ = sample_for(estimator)
    X = np.abs(np.round(X))
    model = fitted(estimator, X, y)
    for dtype in (np.int64, np.int8, object):
        other = fitted(estimator, X.astype(dtype), y)
        assert_same(model, other, X, f"{name} on input of type {np.dtype(dtype)}")
    flags = X > 0
    assert_same(fitted(estimator, flags.astype(float), y), fitted(estimator, flags, y), flags, name)
    words = X.astype(object)
    words[0, 0] = "a word"
    assert refusal(fitted, estimator, words, y), f"{name} fits on words"


def check_pandas(name: str, estimator: Any) -> None:
    """A pandas frame gives the same model and its column names."""
    import pandas as pd

    X, y, _ = sample_for(estimator)
    frame = pd.DataFrame(X, columns=[f"column {j}" for j in range(X.shape[1])])
    target = None if y is None else pd.Series(y, name="target")
    _check_frame(name, estimator, frame, target, X, y)


def check_polars(name: str, estimator: Any) -> None:
    """A polars frame gives the same model and its column names."""
    import polars as pl

    X, y, _ = sample_for(estimator)
    frame = pl.DataFrame(X, schema=[f"column {j}" for j in range(X.shape[1])])
    target = None if y is None else pl.Series("target", y)
    _check_frame(name, estimator, frame, target, X, y)


def _check_frame(name: str, estimator: Any, frame: Any, target: Any, X: Any, y: Any) -> None:
    model = fitted_precisely(estimator, X, y)
    framed = fitted_precisely(estimator, frame, target)
    assert framed.feature_names_in_.tolist() == list(frame.columns), f"{name}: feature_names_in_"
    assert not hasattr(model, "feature_names_in_"), f"{name} invents feature names"
    # Frames may be stored by columns, so sums are taken in another order.
    given, wanted = outputs(framed, frame), outputs(model, X)
    for method, answer in wanted.items():
        if answer.dtype.kind == "f":
            scale = float(np.abs(answer).max())
            np.testing.assert_allclose(given[method], answer, rtol=1e-7, atol=1e-7 * scale)
        else:
            np.testing.assert_array_equal(given[method], answer)
    if not answers_rows(model):
        return
    reordered = frame[list(frame.columns)[::-1]]
    text = refusal(outputs, framed, reordered) or ""
    assert "feature names" in text, f"{name} accepts columns in another order"


def check_repeated_names(name: str, estimator: Any) -> None:
    """A frame in which two columns share a name is refused in our words."""
    import pandas as pd

    X, y, _ = sample_for(estimator)
    frame = pd.DataFrame(X, columns=["same"] * X.shape[1])
    text = refusal(fitted, estimator, frame, y) or ""
    assert text.startswith(f"{name}: X must be a frame with a name of its own"), f"{name}: {text}"


def check_weight_containers(name: str, estimator: Any) -> None:
    """Weights may be a list, a pandas series, integers or one number for all rows."""
    import pandas as pd

    X, y, _ = sample_for(estimator)
    weight = np.arange(len(X)) % 3 + 1
    model = fitted(estimator, X, y, weight.astype(float))
    for same in (weight.tolist(), pd.Series(weight), weight.astype(np.float32)):
        assert_same(model, fitted(estimator, X, y, same), X, f"{name} with weights as {type(same)}")
    ones = fitted(estimator, X, y, np.ones(len(X)))
    assert_same(ones, fitted(estimator, X, y, 1.0), X, f"{name} with the weight 1.0")


def check_weight_memory(name: str, estimator: Any) -> None:
    """Weights may be a column of a table, run backwards, or be one number seen many times."""
    X, y, weight = sample_for(estimator)
    table = np.column_stack([weight, -weight])
    model = fitted(estimator, X, y, weight.copy())
    for what, same in (("strided", table[:, 0]), ("reversed", weight[::-1].copy()[::-1])):
        assert_same(model, fitted(estimator, X, y, same), X, f"{name} with {what} weights")
    twos = fitted(estimator, X, y, np.full(len(X), 2.0))
    spread = np.broadcast_to(2.0, len(X))
    assert_same(twos, fitted(estimator, X, y, spread), X, f"{name} with broadcast weights")


def check_sparse(name: str, estimator: Any) -> None:
    """A sparse table in any format gives the model of the dense one."""
    X, y, _ = sample_for(estimator)
    X = np.where(np.abs(X) < 0.7, 0.0, X)
    model = fitted_precisely(estimator, X, y)
    formats = (
        sparse.csr_array, sparse.csc_array, sparse.coo_array, sparse.csr_matrix, sparse.dok_array
    )  # fmt: skip
    for kind in formats:
        other = fitted_precisely(estimator, kind(X), y)
        assert_same(model, other, X, f"{name} on {kind.__name__}", rtol=1e-6)
    for method, answer in numbers(outputs(model, X)).items():
        given = outputs(model, sparse.csr_array(X))[method]
        np.testing.assert_allclose(given, answer, rtol=1e-10, atol=1e-10)


def check_broken_sparse(name: str, estimator: Any) -> None:
    """A sparse table whose indices lead out of it is refused, in a fit and in a prediction."""
    X, y, _ = sample_for(estimator)
    model = fitted(estimator, X, y)
    for index in (10**6, -3):
        for to in (sparse.csr_array, sparse.csc_array, sparse.coo_array):
            broken = to(X)
            (broken.coords[1] if broken.format == "coo" else broken.indices)[-1] = index
            calls = (("fit", fitted), ("predict", outputs))
            for what, call in calls if answers_rows(model) else calls[:1]:
                given = (estimator, broken, y) if call is fitted else (model, broken)
                text = refusal(call, *given) or ""
                assert text.startswith(f"{name}: X must be a sparse matrix with "), (
                    f"{what}: {text}"
                )
                assert text.endswith(f", got {index}"), f"{name}: {what} says {text}"
    shifted = sparse.csr_array(X)
    shifted.indptr[0] = 1
    assert "starts at 0" in (refusal(fitted, estimator, shifted, y) or ""), name


def check_set_output(name: str, estimator: Any) -> None:
    """A transformer gives frames when asked to, with the names it announces."""
    X, y, _ = sample_for(estimator)
    model = fitted(estimator, X, y)
    plain = np.asarray(model.transform(X))
    names = list(model.get_feature_names_out())
    assert len(names) == plain.shape[1], f"{name}: get_feature_names_out has the wrong length"
    for kind in ("pandas", "polars"):
        frame = fitted(estimator, X, y).set_output(transform=kind).transform(X)
        assert type(frame).__module__.split(".")[0] == kind
        assert list(frame.columns) == names
        np.testing.assert_array_equal(np.asarray(frame), plain)


def check_column_target(name: str, estimator: Any) -> None:
    """Several targets at once are what one target at a time gives."""
    assert is_regressor(estimator)
    X, y, _ = sample_for(estimator)
    both = np.column_stack([y, X[:, 0] - 2 * y])
    model = fitted_precisely(estimator, X, both)
    alone = [fitted_precisely(estimator, X, column).predict(X) for column in both.T]
    np.testing.assert_allclose(
        model.predict(X), np.column_stack(alone), rtol=1e-7, err_msg=f"{name}"
    )
