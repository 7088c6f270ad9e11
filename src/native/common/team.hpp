// Threads: how many a loop is worth, and loops over pieces that lose no exception.
//
// An exception that leaves a parallel region ends the process, so nothing else in the core opens
// one: every loop over threads is `each`, `each_block` or `run` of this file.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <utility>

#include "common/index.hpp"

#ifdef _OPENMP
#include <omp.h>
#endif

namespace margin::team {

// Numbers read from memory and used once. A pass over fewer takes a millisecond at most, and
// waiting for a second thread, while other programs or the spinning threads of BLAS hold its core,
// costs more than it saves. Work that does more with a number counts it several times. Only tests
// change it, to see threads on small problems.
inline double least_work = 2e6;

// A forked child has none of the threads of its parent, and would wait for them for ever.
inline bool forked = false;

// Threads that `pieces` of a loop get: never more than pieces, one within another team.
inline int size(int n_threads, double work, Index pieces) {
    if (n_threads < 2 || pieces < 2 || !(work > least_work) || forked) return 1;
#ifdef _OPENMP
    if (omp_in_parallel()) return 1;
    return static_cast<int>(std::min<Index>(n_threads, pieces));
#else
    return 1;
#endif
}

// Runs what threads are given and keeps the first exception for the thread that waits for them.
class Guard {
  public:
    template <typename Run>
    void operator()(Run &&run) noexcept {
        try {
            run();
        } catch (...) {
            if (!failed_.exchange(true)) error_ = std::current_exception();
        }
    }

    bool failed() const { return failed_.load(std::memory_order_relaxed); }

    // After the parallel region.
    void rethrow() const {
        if (error_) std::rethrow_exception(error_);
    }

  private:
    std::atomic<bool> failed_{false};
    std::exception_ptr error_;
};

// Calls worker(i) for every i below `pieces`, whichever thread is free, in rising order; `make()`
// gives each thread its worker. What a worker throws is thrown here, once all threads have stopped.
template <typename Make>
void run(int n_threads, double work, Index pieces, Make &&make) {
    const int threads = size(n_threads, work, pieces);
    if (threads == 1) {
        if (pieces < 1) return;
        auto worker = make();
        for (Index i = 0; i < pieces; ++i) worker(i);
        return;
    }
    Guard guard;
    std::atomic<Index> next{0};
#pragma omp parallel num_threads(threads)
    guard([&] {
        auto worker = make();
        for (Index i;
             !guard.failed() && (i = next.fetch_add(1, std::memory_order_relaxed)) < pieces;)
            worker(i);
    });
    guard.rethrow();
}

// The same with workers that keep nothing: body(i).
template <typename Body>
void each(int n_threads, double work, Index pieces, const Body &body) {
    run(n_threads, work, pieces, [&] { return [&](Index i) { body(i); }; });
}

// body(first, last) for blocks of `width` out of [0, total): the same blocks for any number of
// threads.
template <typename Body>
void each_block(int n_threads, double work, std::size_t total, std::size_t width,
                const Body &body) {
    const std::size_t blocks = (total + width - 1) / width;
    each(n_threads, work, blocks, [&](Index b) {
        const std::size_t first = static_cast<std::size_t>(b) * width;
        body(first, std::min(total, first + width));
    });
}

}  // namespace margin::team
