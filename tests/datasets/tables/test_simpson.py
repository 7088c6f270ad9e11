from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import chi2_contingency

from margin.datasets import load_berkeley, load_kidney_stones


def check_g_tests(table, strata):
    """Every stored (G, p) against the likelihood-ratio test of the counts."""
    assert set(table.g_tests) == {"total", *strata}
    for name, (g, p) in table.g_tests.items():
        counts = table.counts.sum(axis=0) if name == "total" else table.counts[strata.index(name)]
        test = chi2_contingency(counts, correction=False, lambda_="log-likelihood")
        assert g == pytest.approx(test.statistic, abs=1e-8)
        assert p == pytest.approx(test.pvalue, rel=2e-4)


def test_berkeley_table():
    """datasets.01: totals, and who is preferred where."""
    table = load_berkeley()
    applied = table.counts.sum(axis=2)
    admitted = table.counts[..., 1]
    assert applied.sum(axis=0).tolist() == [2590, 1835]
    assert admitted.sum(axis=0).tolist() == [1192, 557]
    rate = admitted / applied
    women_preferred = rate[:, 1] > rate[:, 0]
    minority_preferred = women_preferred == (applied[:, 1] < applied[:, 0])
    assert women_preferred.sum() == 4
    assert minority_preferred.sum() == 5


def test_berkeley_truth(check_answers):
    """datasets.01: answers by enumeration, standardised rates exactly, tests by SciPy."""
    table = load_berkeley()
    assert check_answers(table) == 6
    check_g_tests(table, table.states["department"])
    share = [Fraction(int(n), 4425) for n in table.counts.sum(axis=(1, 2))]
    for code, sex in enumerate(table.states["sex"]):
        rates = [Fraction(int(c[1]), int(c.sum())) for c in table.counts[:, code]]
        exact = sum(s * r for s, r in zip(share, rates, strict=True))
        assert table.standardised[sex] == pytest.approx(float(exact), abs=5e-11)
    assert table.standardised["female"] > table.standardised["male"]


def test_kidney_stone_table(check_answers):
    """datasets.02: the printed table and every exact answer, interventions included."""
    table = load_kidney_stones()
    assert table.counts[..., 1].tolist() == [[81, 234], [192, 55]]
    assert table.counts.sum(axis=2).tolist() == [[87, 270], [263, 80]]
    assert check_answers(table) == 8
    check_g_tests(table, table.states["size"])
    do_a = table.answers["recovered=yes | do(treatment=A)"]
    do_b = table.answers["recovered=yes | do(treatment=B)"]
    assert float(do_a) == pytest.approx(0.8325462174, abs=5e-11)
    assert do_b == Fraction("0.778875")
    assert table.average_effect == do_a - do_b
    assert do_a > do_b
    assert (
        table.answers["recovered=yes | treatment=A"] < table.answers["recovered=yes | treatment=B"]
    )


def test_kidney_weighting_equals_adjustment():
    """datasets.02: weighting by the inverse propensity gives the adjusted rates exactly."""
    table = load_kidney_stones()
    n = int(table.counts.sum())
    for code, treatment in enumerate("AB"):
        weighted = Fraction(0)
        for stratum, size in enumerate(table.states["size"]):
            p_a = table.propensity[size]
            propensity = p_a if treatment == "A" else 1 - p_a
            weighted += int(table.counts[stratum, code, 1]) / propensity / n
        assert weighted == table.answers[f"recovered=yes | do(treatment={treatment})"]


@pytest.mark.parametrize("load", [load_berkeley, load_kidney_stones])
def test_individual_rows_add_up_to_the_table(load):
    table = load()
    again = np.zeros_like(table.counts)
    np.add.at(again, (table.data[:, 1], table.data[:, 0], table.target), 1)
    assert np.array_equal(again, table.counts)
    framed = load(as_frame=True)
    group, stratum = table.feature_names
    words = framed.frame.iloc[[0, -1]]
    for row, code in zip(words.to_dict("records"), (0, -1), strict=True):
        assert row[group] == table.states[group][table.data[code, 0]]
        assert row[stratum] == table.states[stratum][table.data[code, 1]]
        assert row[table.target_name] == table.target_names[table.target[code]]
