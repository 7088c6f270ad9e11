"""Run trials in forked children with limits; print the faults."""

import argparse
import faulthandler
import multiprocessing as mp
import os
import resource
import signal
import sys
from collections import Counter
from collections.abc import Iterator
from multiprocessing.connection import Connection

from tools.fuzz.trial import fault_of, make

BATCH = 50
# A child that sleeps uses no processor time: it is ended after so many times the limit.
PATIENCE = 40.0
# A long run says how far it is after so many trials.
REPORT = 500


def _work(numbers: list[int], only: str, seconds: float, memory: int, sender: Connection) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    # What a library prints about its own end is not the report.
    faulthandler.disable()
    quiet = os.open(os.devnull, os.O_WRONLY)
    os.dup2(quiet, 2)
    for number in numbers:
        trial = make(number, only)
        sender.send((number, trial.story, None))
        # Seconds of this process, so that a busy machine is no fault; the signal ends it.
        signal.setitimer(signal.ITIMER_PROF, seconds)
        sender.send((number, trial.story, fault_of(trial)))
        signal.setitimer(signal.ITIMER_PROF, 0.0)


def outcomes(
    numbers: list[int], *, only: str = "", seconds: float = 20.0, memory: int = 6 << 30
) -> Iterator[tuple[int, str, str]]:
    """Yield number, story and fault of every trial, whatever becomes of the child it runs in."""
    context = mp.get_context("fork")
    waiting = list(numbers)
    while waiting:
        receiver, sender = context.Pipe(duplex=False)
        child = context.Process(target=_work, args=(waiting[:BATCH], only, seconds, memory, sender))
        child.start()
        sender.close()
        done = 0
        started: tuple[int, str] | None = None
        fault = ""
        try:
            while True:
                if not receiver.poll(PATIENCE * seconds):
                    fault = f"asleep for {PATIENCE * seconds:g} s"
                    child.kill()
                    break
                number, story, verdict = receiver.recv()
                started = number, story
                if verdict is not None:
                    yield number, story, verdict
                    done, started = done + 1, None
        except EOFError:
            pass
        child.join()
        if started is not None:
            fault = fault or _end(-(child.exitcode or 0), seconds)
            yield *started, fault
            done += 1
        waiting = waiting[max(done, 1) :]


def _end(number: int, seconds: float) -> str:
    """Why a signal ended a child."""
    if number == signal.SIGPROF:
        return f"no end after {seconds:g} s"
    return f"died of signal {number}"


def main() -> int:
    """Print every fault and their number; 1 if there are any."""
    parser = argparse.ArgumentParser(prog="python -m tools.fuzz", description=__doc__)
    parser.add_argument("--trials", type=int, default=1000)
    parser.add_argument("--start", type=int, default=0, help="number of the first trial")
    parser.add_argument("--estimator", default="", help="only this one")
    parser.add_argument("--seconds", type=float, default=20.0, help="processor time of a trial")
    options = parser.parse_args()
    numbers = list(range(options.start, options.start + options.trials))
    faults: Counter[str] = Counter()
    trials = outcomes(numbers, only=options.estimator, seconds=options.seconds)
    for done, (number, story, fault) in enumerate(trials, 1):
        if fault:
            faults[" ".join(fault.split()[:2])] += 1
            print(f"{number}: {fault}\n    {story}", flush=True)
        if done % REPORT == 0:
            print(f"{done} trials, {sum(faults.values())} faults", file=sys.stderr, flush=True)
    print(f"{len(numbers)} trials, {sum(faults.values())} faults {dict(faults)}")
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(main())
