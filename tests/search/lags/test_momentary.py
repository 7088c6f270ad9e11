"""Two stages of tests between a series and its past."""

import numpy as np

from margin.search import IndependenceTest, TestResult, momentary_tests


class Asked(IndependenceTest):
    """Knows the direct causes of every column, and keeps the questions."""

    def __init__(self, p, depth, links):
        self.names, self.p, self.links, self.asked = tuple(range(p * (depth + 1))), p, links, []

    def __call__(self, i, j, given=()):
        self.check_columns(i, j, given)
        self.asked.append((i, j, tuple(given)))
        dependent = (i % self.p, i // self.p - j // self.p, j % self.p) in self.links
        return TestResult(9.0 if dependent else 0.1, 0.0, 0.0 if dependent else 0.9)


def test_conditions_of_both_ends_and_columns_that_exist():
    links = {(0, 1, 0), (0, 2, 1), (1, 1, 1)}
    test = Asked(2, 4, links)
    answer = momentary_tests(test, 2, 2, 0.2, same_moment=True)
    assert [set(c) for c in answer.conditions] == [{(0, 1)}, {(0, 2), (1, 1)}]
    assert {key for key, result in answer.results.items() if result.p_value < 0.5} == links
    assert len(answer.results) == 2 * 2 * 2 + 1
    assert answer.n_tests == len(test.asked)
    # From 0 two moments before to 1: the past of 1 (its own last value), and that of 0 by then.
    assert (4, 1, (3, 6)) in test.asked
    assert max(max(i, *given, 0) for i, _, given in test.asked) < 2 * 5


def test_an_unreliable_test_removes_nothing():
    class Unsure(Asked):
        def __call__(self, i, j, given=()):
            super().__call__(i, j, given)
            return TestResult(0.0, 0.0, 1.0, reliable=False)

    answer = momentary_tests(Unsure(2, 2, ()), 2, 1, 0.2)
    assert all(len(c) == 2 for c in answer.conditions)
    assert np.isfinite(answer.n_tests)
