import pickle

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
import skops.io

from margin.core import Certificate, FitReport, Solution, Status

mpl.use("Agg")
import matplotlib.pyplot as plt

TRACE = {"objective": np.array([4.0, 2.0, 1.0]), "step": np.array([1.0, 0.5, 1.0])}


@pytest.fixture
def report():
    return FitReport(
        "Ridge",
        "lbfgs (many columns)",
        Status.MAX_ITER,
        3,
        1.0,
        certificate=Certificate("gradient norm", 0.25, 1e-6),
        trace=TRACE,
        repairs=("added jitter 1e-10",),
        notes=("weights were scaled",),
        message="raise max_iter above 3",
    )


def test_of_copies_the_solution():
    solution = Solution(
        np.zeros(2), Status.STALLED, np.int64(5), np.float32(0.5), trace=TRACE, solver="newton",
        certificate=Certificate("gap", 1.0, 0.1), message="no progress", repairs=("jitter",),
    )  # fmt: skip
    made = FitReport.of("Lasso", solution, notes=("a",))
    assert made.estimator == "Lasso"
    assert type(made.n_iter) is int
    assert type(made.objective) is float
    assert made.trace is not solution.trace
    assert made.trace["objective"] is TRACE["objective"]
    assert (made.status, made.solver, made.message) == (Status.STALLED, "newton", "no progress")
    assert (made.repairs, made.notes) == (("jitter",), ("a",))
    assert FitReport.of(solution, solution).estimator == "Solution"


def test_repr_says_everything_in_reading_order(report):
    assert repr(report).splitlines() == [
        "Ridge fit: stopped before convergence, after 3 iterations",
        "  solver       lbfgs (many columns)",
        "  objective    1",
        "  certificate  gradient norm 0.25 (tolerance 1e-06)",
        "  stopped      raise max_iter above 3",
        "  repair       added jitter 1e-10",
        "  note         weights were scaled",
    ]


@pytest.mark.parametrize(
    ("status", "n_iter", "line"),
    [
        (Status.CONVERGED, 1, "M fit: converged in 1 iteration"),
        (Status.CONVERGED, 0, "M fit: converged in 0 iterations"),
        (Status.STALLED, 7, "M fit: stalled at machine precision after 7 iterations"),
        (Status.MAX_ITER, 2, "M fit: stopped before convergence, after 2 iterations"),
        (Status.FAILED, 1, "M fit: failed after 1 iteration"),
    ],
)
def test_repr_first_line(status, n_iter, line):
    assert repr(FitReport("M", "s", status, n_iter, 0.0)).splitlines()[0] == line


def test_html_is_escaped_and_complete(report):
    html = report._repr_html_()
    assert "stopped before convergence" in html
    for _, text in report.rows():
        assert text in html
    risky = FitReport("<script>", "a & b", Status.CONVERGED, 1, 0.0)._repr_html_()
    assert "<script>" not in risky
    assert "a &amp; b" in risky


def test_to_frame_has_one_row_per_iteration(report):
    frame = report.to_frame()
    expected = pd.DataFrame(TRACE, index=pd.RangeIndex(3, name="iteration"))
    pd.testing.assert_frame_equal(frame, expected)
    assert FitReport("M", "direct", Status.CONVERGED, 1, 0.0).to_frame().empty


def test_to_frame_leaves_out_what_is_not_a_column():
    trace = {"objective": np.arange(2.0), "x": np.zeros((2, 3))}
    frame = FitReport("M", "s", Status.CONVERGED, 2, 0.0, trace=trace).to_frame()
    assert frame.columns.tolist() == ["objective"]


def drawn(ax):
    """Points of the picture, without the line through them: (x, y, whether filled)."""
    points = [line for line in ax.get_lines() if line.get_marker() == "o"]
    return sorted(
        (x, y, line.get_markerfacecolor() != "white")
        for line in points
        for x, y in zip(line.get_xdata().tolist(), line.get_ydata().tolist(), strict=True)
    )


def test_plot_draws_every_record(report):
    _, ax = plt.subplots()
    assert report.plot(ax) is ax
    gaps = np.abs(TRACE["objective"] - report.objective)
    points = drawn(ax)
    assert [x for x, _, _ in points] == [1, 2, 3]
    assert [y for _, y, filled in points if filled] == gaps[gaps > 0].tolist()
    assert sum(not filled for _, _, filled in points) == np.sum(gaps == 0)
    assert ax.get_yscale() == "log"
    assert ax.get_title() == repr(report).splitlines()[0]
    plt.close(ax.figure)


@pytest.mark.parametrize(
    ("n_iter", "places", "label"),
    [
        (2, [0, 1, 2], "iteration"),
        (3, [1, 2, 3], "iteration"),
        (40, [0, 1, 2], "record (3 in 40 iterations)"),
    ],
)
def test_plot_counts_what_the_text_counts(n_iter, places, label):
    trace = {"objective": np.array([5.0, 3.0, 2.0])}
    report = FitReport("M", "s", Status.CONVERGED, n_iter, 2.0, trace=trace)
    ax = report.plot()
    assert drawn(ax) == [
        (places[0], 3.0, True),
        (places[1], 1.0, True),
        (places[2], pytest.approx(1 / 3), False),
    ]
    assert ax.get_xlabel() == label
    assert ax.get_ylabel() == "distance of the objective from 2"
    plt.close(ax.figure)


def test_plot_of_an_objective_that_rises():
    trace = {"objective": np.array([-9.0, -5.0, -4.0])}
    ax = FitReport("M", "EM", Status.CONVERGED, 2, -4.0, trace=trace).plot()
    assert [y for _, y, filled in drawn(ax) if filled] == [5.0, 1.0]
    plt.close(ax.figure)


def test_plot_of_a_direct_solution_shows_its_objective():
    ax = FitReport("M", "cholesky", Status.CONVERGED, 1, 0.5).plot()
    assert drawn(ax) == [(1, 0.5, False)]
    ax.figure.canvas.draw()
    plt.close(ax.figure)


def assert_same(one, two):
    assert repr(one) == repr(two)
    assert one.status is two.status
    assert one.certificate == two.certificate
    assert one.repairs == two.repairs
    assert one.trace.keys() == two.trace.keys()
    for key, column in one.trace.items():
        np.testing.assert_array_equal(column, two.trace[key])


def test_pickle_round_trip(report):
    assert_same(report, pickle.loads(pickle.dumps(report)))


def test_skops_round_trip_needs_trust_in_margin_only(report):
    stored = skops.io.dumps(report)
    trusted = skops.io.get_untrusted_types(data=stored)
    assert trusted == [
        "margin.core.Certificate",
        "margin.core.FitReport",
        "margin.core.Status",
    ]
    assert_same(report, skops.io.loads(stored, trusted=trusted))


def test_a_report_cannot_be_edited(report):
    with pytest.raises(AttributeError):
        report.status = Status.CONVERGED
