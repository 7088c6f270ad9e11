// Values, and if asked slopes, of a function of pairs of objects, spread over threads.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>

#include "common/native.hpp"
#include "common/team.hpp"

namespace margin {

struct Value {
    double value = 0.0, slope = 0.0;
};

enum class Pairs { all, lower, diagonal };

// Where results go: (n, m), or (n, 1) on the diagonal; the slope may be left out.
struct PairOutput {
    double *value, *slope;
    Index n, m;
    Pairs pairs;

    PairOutput(Matrix<double> &values, std::optional<Matrix<double>> &slopes, int kind,
               std::size_t n_left, std::size_t n_right)
        : value(values.data()), slope(slopes ? slopes->data() : nullptr),
          n(static_cast<Index>(n_left)), m(static_cast<Index>(n_right)),
          pairs(static_cast<Pairs>(kind)) {
        const std::size_t width = pairs == Pairs::diagonal ? 1 : n_right;
        const bool square = pairs == Pairs::all || n_left == n_right;
        if (kind < 0 || kind > 2 || !square || values.shape(0) != n_left ||
            values.shape(1) != width ||
            (slopes && (slopes->shape(0) != n_left || slopes->shape(1) != width)))
            throw std::invalid_argument("pairs: arrays do not fit");
    }

    void put(Index i, Index j, const Value &made) const {
        const Index at = pairs == Pairs::diagonal ? i : i * m + j;
        value[at] = made.value;
        if (slope) slope[at] = made.slope;
        if (pairs == Pairs::lower) {
            value[j * m + i] = made.value;
            if (slope) slope[j * m + i] = made.slope;
        }
    }
};

// Calls worker(i, j) -> Value for all pairs asked for; `make()` gives each thread its worker. The
// work is that of all pairs of left and right objects.
template <typename Make>
void each_pair(const PairOutput &out, int threads, double work, const Make &make) {
    if (out.pairs != Pairs::all) work /= out.pairs == Pairs::lower ? 2.0 : double(out.n);
    team::run(threads, work, out.n, [&] {
        return [&, worker = make()](Index row) mutable {
            // The longest rows of a triangle first.
            const Index i = out.pairs == Pairs::lower ? out.n - 1 - row : row;
            const Index from = out.pairs == Pairs::diagonal ? i : 0;
            const Index to = out.pairs == Pairs::all ? out.m : i + 1;
            for (Index j = from; j < to; ++j) out.put(i, j, worker(i, j));
        };
    });
}

// Starts of ragged rows: from 0 to `total`, never falling.
inline void check_starts(const Vector<const std::int64_t> &starts, std::size_t total) {
    bool fits = starts.size() >= 1 && starts.data()[0] == 0 &&
                starts.data()[starts.size() - 1] == static_cast<std::int64_t>(total);
    for (std::size_t i = 0; fits && i + 1 < starts.size(); ++i)
        fits = starts.data()[i] <= starts.data()[i + 1];
    if (!fits) throw std::invalid_argument("ragged rows: offsets do not fit");
}

}  // namespace margin
