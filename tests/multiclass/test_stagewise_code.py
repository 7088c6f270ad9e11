import numpy as np
import pytest

from margin.multiclass import loss_distances, stagewise_code
from margin.multiclass._stagewise_code import confusion, doubt, proposals, separated


def perfect(codes):
    """Classifiers that are always right, with margin 4."""

    def fit_column(column):
        return tuple(column.tolist()), 4.0 * column[codes]

    return fit_column


@pytest.mark.parametrize("n_classes", [2, 3, 4, 8, 14])
def test_faultless_classifiers_need_the_fewest_columns(n_classes):
    """linear.55: each column halves what is still alike, so the logarithm is enough."""
    codes = np.repeat(np.arange(n_classes), 3)
    code, fits = stagewise_code(perfect(codes), loss_distances, codes, None, 30)
    assert code.shape == (n_classes, np.ceil(np.log2(n_classes)))
    assert separated(code).all()
    assert fits == [tuple(column) for column in code.T.tolist()]


def test_the_column_that_leaves_least_doubt_is_kept():
    """linear.55: of the problems tried at a stage, none would have left less cross-entropy."""
    rng = np.random.default_rng(0)
    codes = np.repeat(np.arange(4), 25)
    seen = {}

    def fit_column(column):
        key = tuple(column.tolist())
        seen.setdefault(key, column[codes] + 2.0 * rng.normal(size=100))
        return None, seen[key]

    code, _ = stagewise_code(fit_column, loss_distances, codes, None, 6)
    chosen = [tuple(column) for column in code.T.tolist()]
    assert len(chosen) == 6

    def left(columns):
        scores = np.column_stack([seen[column] for column in columns])
        return doubt(loss_distances(scores, np.array(columns).T), codes, np.ones(100))

    for stage in range(2, 6):
        before = chosen[:stage]
        distance = loss_distances(np.column_stack([seen[c] for c in before]), np.array(before).T)
        tried = proposals(confusion(distance, codes, np.ones(100)), code[:, :stage])
        assert chosen[stage] in tried
        assert len(tried) >= 2
        best = left(chosen[: stage + 1])
        assert all(best <= left([*before, other]) for other in tried)


def test_confusion_and_doubt_by_hand():
    distance = np.log(np.array([[1.0, 3.0], [2.0, 2.0], [4.0, 1.0]]))
    codes, share = np.array([0, 0, 1]), np.array([1.0, 2.0, 1.0])
    # Shares of the classes: (3/4, 1/4), (1/2, 1/2), (1/5, 4/5).
    expected = 1 / 4 + 2 / 2 + 1 / 5
    np.testing.assert_allclose(confusion(distance, codes, share), [[0, expected], [expected, 0]])
    entropy = -(np.log(3 / 4) + 2 * np.log(1 / 2) + np.log(4 / 5))
    assert doubt(distance, codes, share) == pytest.approx(entropy)


def test_rows_without_weight_do_not_count():
    """A row that every classifier gets wrong keeps the code growing, unless it weighs nothing."""
    codes = np.repeat(np.arange(3), 4)

    def fit_column(column):
        return None, np.where(np.arange(12) == 5, -4.0, 4.0) * column[codes]

    ignored = (np.arange(12) != 5).astype(float)
    short, _ = stagewise_code(fit_column, loss_distances, codes, ignored, 6)
    grown, _ = stagewise_code(fit_column, loss_distances, codes, None, 6)
    assert short.shape == (3, 2)
    assert grown.shape == (3, 6)
