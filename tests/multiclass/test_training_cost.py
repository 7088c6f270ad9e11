import pytest

from margin.multiclass import TrainingCost, exhaustive_code


@pytest.mark.parametrize(("m", "rest", "one"), [(3, 3, 3), (4, 4, 6), (10, 10, 45)])
def test_number_of_classifiers(m, rest, one):
    """linear.49: m = 3, 4, 10 classes take 3/3, 4/6 and 10/45 classifiers."""
    counts = [12] * m
    assert TrainingCost.one_vs_rest(counts).n_classifiers == rest
    assert TrainingCost.one_vs_one(counts).n_classifiers == one


@pytest.mark.parametrize("m", [3, 4, 10])
@pytest.mark.parametrize("power", [1, 2, 3])
def test_balanced_classes_follow_the_formula(m, power):
    """linear.49: one-vs-rest m n^q against m (m - 1) / 2 (2 n / m)^q."""
    n = 60 * m
    rest, one = TrainingCost.one_vs_rest([60] * m), TrainingCost.one_vs_one([60] * m)
    assert rest.work(power) == pytest.approx(m * n**power)
    assert one.work(power) == pytest.approx(m * (m - 1) / 2 * (2 * n / m) ** power)
    ratio = 2 ** (1 - power) * m**power / (m - 1)
    assert rest.work(power) / one.work(power) == pytest.approx(ratio)
    assert one.total_rows == (m - 1) * n < rest.total_rows == m * n


def test_unequal_classes_and_other_codes():
    assert TrainingCost.one_vs_one([1, 20, 300]).rows == (21, 301, 320)
    cost = TrainingCost.of(exhaustive_code(3), [1, 20, 300])
    assert cost.rows == (321, 321, 321)
    assert str(cost) == "3 classifiers on 963 rows in all"
