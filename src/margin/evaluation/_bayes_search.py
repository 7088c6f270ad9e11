"""Bayesian search for the hyper-parameters of an estimator."""

import warnings
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
from sklearn.exceptions import FitFailedWarning
from sklearn.model_selection._search import BaseSearchCV

from margin.core import Iterate, Stop, check, iterate
from margin.gp import GaussianProcessOptimizer, SearchSpace


class BayesSearchCV(BaseSearchCV):
    """Search over hyper-parameters by Bayesian optimisation of the cross-validated score.

    The interface is that of scikit-learn's ``RandomizedSearchCV``; each round evaluates the
    ``n_points`` candidates that a Gaussian process of the scores so far promises most for.

    Parameters
    ----------
    estimator : estimator
        What is tuned.
    search_spaces : mapping of str to list, (low, high) or (low, high, "linear" | "log"), optional
        As in :class:`margin.gp.SearchSpace`; None takes the search space of the estimator's card.
    n_iter : int, default=30
        Candidates in all.
    n_points : int, default=1
        Candidates in one round, evaluated in parallel with ``n_jobs``.
    acquisition : {"ei", "pi", "ucb"}, default="ei"
        What a candidate promises.
    n_initial : int, default=8
        Candidates before the first model.
    scoring, n_jobs, refit, cv, verbose, pre_dispatch, error_score, return_train_score
        As in scikit-learn.
    random_state : int, Generator or None, default=None

    Attributes
    ----------
    best_params_, best_score_, best_estimator_, best_index_, cv_results_
        As in scikit-learn.
    fit_report_ : FitReport
        Minus the best score after every round; after Ctrl-C the candidates so far count.

    Examples
    --------
    >>> import numpy as np
    >>> from margin.evaluation import BayesSearchCV
    >>> from margin.linear import Ridge
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(40, 3))
    >>> y = X @ [1.0, -2.0, 0.0] + 0.1 * rng.normal(size=40)
    >>> space = {"alpha": (1e-3, 1e3, "log")}
    >>> search = BayesSearchCV(Ridge(), space, n_iter=10, random_state=0).fit(X, y)
    >>> search.best_params_["alpha"] < 1.0, len(search.cv_results_["params"])
    (True, 10)
    """

    def __init__(
        self,
        estimator: Any,
        search_spaces: Mapping[str, Any] | None = None,
        *,
        n_iter: int = 30,
        n_points: int = 1,
        acquisition: str = "ei",
        n_initial: int = 8,
        scoring: Any = None,
        n_jobs: int | None = None,
        refit: bool | str | Callable[..., Any] = True,
        cv: Any = None,
        verbose: int = 0,
        pre_dispatch: int | str = "2*n_jobs",
        random_state: Any = None,
        error_score: Any = np.nan,
        return_train_score: bool = False,
    ) -> None:
        self.search_spaces = search_spaces
        self.n_iter = n_iter
        self.n_points = n_points
        self.acquisition = acquisition
        self.n_initial = n_initial
        self.random_state = random_state
        super().__init__(
            estimator=estimator,
            scoring=scoring,
            n_jobs=n_jobs,
            refit=refit,
            cv=cv,
            verbose=verbose,
            pre_dispatch=pre_dispatch,
            error_score=error_score,
            return_train_score=return_train_score,
        )

    def _run_search(self, evaluate_candidates: Callable[[Any], Any]) -> None:
        check.params(self, count="n_iter n_points n_initial")
        optimizer = GaussianProcessOptimizer(
            self._space(),
            acquisition=self.acquisition,
            n_initial=min(self.n_initial, self.n_iter),
            random_state=self.random_state,
        )
        stop = Stop("", None, self.n_iter, unit="candidate", keep="last")
        solution = iterate(self._rounds(optimizer, evaluate_candidates), stop, solver="rounds")
        self.fit_report_ = check.report(self, solution)

    def _rounds(
        self, optimizer: GaussianProcessOptimizer, evaluate_candidates: Callable[[Any], Any]
    ) -> Iterator[Iterate]:
        """The best candidate, and minus its score, after every round."""
        done, rows = 0, 0
        while True:
            # Nothing is learnt between the first candidates: they are one round.
            size = max(self.n_points, 0 if done else self.n_initial)
            points = optimizer.ask(min(size, self.n_iter - done))
            done += len(points)
            results = _evaluated(evaluate_candidates, points, first=not rows)
            scores = np.full(len(points), np.nan)
            if results is not None:
                scores = np.asarray(results[self._score_name(results)][rows:], dtype=float)
                rows += len(points)
            # A candidate that failed is as bad as the worst that did not.
            finite = [*optimizer.values, *(-scores[np.isfinite(scores)])]
            worst = max(finite, default=0.0)
            for point, score in zip(points, scores, strict=True):
                optimizer.tell(point, -score if np.isfinite(score) else worst)
            yield Iterate(optimizer.best_params, optimizer.best_value, None, done)

    def _space(self) -> SearchSpace:
        if self.search_spaces is not None:
            return SearchSpace(self.search_spaces)
        card = getattr(self.estimator, "card", None)
        if card is None or not card.search_space:
            need = "given for an estimator without a search space of its own"
            raise check.fail(self, "search_spaces", need, None)
        return SearchSpace(card.search_space)

    def _score_name(self, results: Mapping[str, Any]) -> str:
        if "mean_test_score" in results:
            return "mean_test_score"
        if not isinstance(self.refit, str):
            raise check.fail(self, "refit", "the name of a score with several scores", self.refit)
        return f"mean_test_{self.refit}"


def _evaluated(evaluate_candidates: Callable[[Any], Any], points: Any, *, first: bool) -> Any:
    """Results of a round; None where every fit of a later round failed, with a warning."""
    try:
        return evaluate_candidates(points)
    except ValueError as error:
        if first or "fits failed" not in str(error):
            raise
        warnings.warn(
            f"BayesSearchCV: all fits failed for {points}; left out of cv_results_",
            FitFailedWarning,
            stacklevel=6,
        )
        return None
