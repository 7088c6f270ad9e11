"""The search of the perceptron: epochs of corrections, the best weights kept."""

from collections.abc import Iterator
from dataclasses import replace

from margin.core import Certificate, Iterate, Solution, Status, Stop, iterate
from margin.core.progress import Callback
from margin.linear.online._corrections import Corrections, Examples, Rule
from margin.linear.online._pocket import Pocket, pocket_epoch


def learn(
    examples: Examples,
    start: Corrections,
    rule: Rule,
    *,
    max_iter: int,
    tol: float | None,
    patience: int,
    judge: Examples | None = None,
    callback: Callback | None = None,
) -> Solution:
    """Epochs until one makes no correction, or the share of errors no longer falls.

    Parameters
    ----------
    examples : Examples
    start : Corrections
        Weights to start from; they are not themselves an answer.
    rule : Rule
    max_iter : int
        Most epochs.
    tol : float or None
        The search ends when ``patience`` epochs in a row lowered the least share of errors by no
        more than this; ``None``: only when there is nothing left to correct.
    patience : int
    judge : Examples, optional
        Rows whose errors count, where they are not the ones that are corrected.
    callback : callable, optional
        Called as ``callback(epoch, share of errors after it)``.

    Returns
    -------
    Solution
        The weights that err least: those of the last epoch when nothing is left to correct. The
        trace has the share of errors after every epoch, and last that of the answer; ``extras``
        the dual weights and mistakes of the answer, and the last ``state``.
    """
    kind = "share of rows to correct" if tol is None else "decrease of the share of errors"
    stop = Stop(
        kind,
        0.0 if tol is None else tol,
        max_iter,
        unit="epoch",
        keep="last",
        columns=("objective",),
        advice=("raise tol",),
    )
    solution = iterate(
        _states(examples, start, rule, tol, patience, examples if judge is None else judge),
        stop,
        solver="batch perceptron" if rule.batch else "stochastic perceptron",
        callback=callback,
        finish=lambda at: at._replace(trace=(at.objective,)),
    )
    if solution.status.ok and solution.extras["corrections"] == 0:
        proof = Certificate("share of training errors", solution.objective, 0.0)
        return replace(solution, certificate=proof)
    return solution


def learn_once(examples: Examples, start: Corrections, rule: Rule) -> Solution:
    """One epoch, whose last weights are the answer: the next one goes on from there."""
    solution = learn(examples, start, rule, max_iter=1, tol=None, patience=1)
    last = solution.extras["state"]
    return replace(
        solution,
        x=last.weights,
        objective=examples.error_share(last.weights),
        status=Status.CONVERGED,
        certificate=None,
        message="",
        extras={"dual": last.dual_weights, "mistakes": last.mistakes, "state": last},
    )


def _states(
    examples: Examples,
    state: Corrections,
    rule: Rule,
    tol: float | None,
    patience: int,
    judge: Examples,
) -> Iterator[Iterate]:
    """The start, then the best weights so far after every epoch."""
    pocket, lowest = Pocket.empty(state), judge.error_share(state.weights)
    falls: list[float] = []
    yield _iterate(pocket, state, lowest, lowest, None, 0, -1)
    while True:
        before = state.n_corrections
        state, pocket, share = pocket_epoch(examples, state, rule, pocket, judge)
        corrections = state.n_corrections - before
        falls.append(max(lowest - pocket.share, 0.0))
        lowest = min(lowest, pocket.share)
        certificate: float | None = corrections / max(1, len(examples.table.visits))
        if tol is not None and corrections:
            certificate = max(falls[-patience:]) if len(falls) >= patience else None
        yield _iterate(pocket, state, pocket.share, share, certificate, len(falls), corrections)


def _iterate(
    pocket: Pocket,
    state: Corrections,
    objective: float,
    share: float,
    certificate: float | None,
    n_iter: int,
    corrections: int,
) -> Iterate:
    answer = {"dual": pocket.dual, "mistakes": pocket.mistakes}
    return Iterate(
        pocket.w,
        objective,
        certificate,
        n_iter,
        trace=(share,),
        extras={**answer, "state": state, "corrections": corrections},
    )
