"""All models over the folds: every fold for everyone, or as far as a budget goes."""

from __future__ import annotations

from threadpoolctl import threadpool_limits

from margin.evaluation.race._contest import compete
from margin.evaluation.race._course import Course, Race
from margin.evaluation.race._interrupts import watched_interrupts
from margin.evaluation.race._run import Run


def race(run: Run) -> Race:
    """Run the models on the folds, fold by fold, so that those still in have seen the same folds.

    Without a budget every model runs every fold; with one, see
    :func:`~margin.evaluation.race._contest.compete`. Models run in ``run.jobs`` worker processes;
    when that is left open, here until the work ahead proves large. Scores do not depend on it.
    ``run.progress`` is told of every outcome.
    """
    # One thread per fit, here and in the workers: the same sums in the same order everywhere.
    with watched_interrupts() as interrupted, threadpool_limits(1):
        course = Course(run, interrupted)
        try:
            if run.clock.limited:
                compete(course)
            else:
                for number in range(len(run.training.folds)):
                    course.play([(name, number) for name in course.entrants])
        except KeyboardInterrupt:
            interrupted.set()
        finally:
            course.pool.close()
        return course.result(interrupted=interrupted.is_set())
