// Nodes that may belong to a set that separates two others where causes are hidden.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

#include "common/bind.hpp"
#include "common/interrupt.hpp"
#include "common/native.hpp"

namespace margin {
namespace {

// Rows of bits, each of the same number of words.
class BitRows {
  public:
    BitRows(const std::uint8_t *matrix, std::size_t p) : BitRows(p) {
        for (std::size_t i = 0; i < p; ++i)
            for (std::size_t j = 0; j < p; ++j)
                if (matrix[i * p + j]) add(i, j);
    }

    explicit BitRows(std::size_t p) : words_((p + 63) / 64), bits_(words_ * p, 0) {}

    void clear() { std::fill(bits_.begin(), bits_.end(), 0); }
    void add(std::size_t i, std::size_t j) { row(i)[j / 64] |= std::uint64_t{1} << (j % 64); }
    bool has(std::size_t i, std::size_t j) const { return row(i)[j / 64] >> (j % 64) & 1; }
    bool any(std::size_t i) const {
        return std::any_of(row(i), row(i) + words_, [](std::uint64_t word) { return word != 0; });
    }
    std::uint64_t *row(std::size_t i) { return bits_.data() + i * words_; }
    const std::uint64_t *row(std::size_t i) const { return bits_.data() + i * words_; }
    std::size_t words() const { return words_; }

  private:
    std::size_t words_;
    std::vector<std::uint64_t> bits_;
};

// Walks from x go on from a -> b to c where b is a collider, or a and c are joined; a walk comes to
// every edge once.
void walk(std::size_t x, std::size_t p, const BitRows &joined, const BitRows &heads,
          BitRows &entered, std::vector<std::pair<std::size_t, std::size_t>> &waiting) {
    entered.clear();
    for (std::size_t b = 0; b < p; ++b)
        if (joined.has(x, b)) {
            entered.add(b, x);
            waiting.emplace_back(x, b);
        }
    while (!waiting.empty()) {
        const auto [a, b] = waiting.back();
        waiting.pop_back();
        const bool collider = heads.has(b, a);
        for (std::size_t k = 0; k < joined.words(); ++k) {
            std::uint64_t onwards = joined.row(b)[k] & joined.row(a)[k];
            if (collider) onwards |= heads.row(b)[k];
            for (; onwards; onwards &= onwards - 1) {
                const std::size_t c = 64 * k + static_cast<std::size_t>(std::countr_zero(onwards));
                if (c == a || entered.has(c, b)) continue;
                entered.add(c, b);
                waiting.emplace_back(b, c);
            }
        }
    }
}

// heads[b, a]: the edge a - b has an arrowhead at b.
void possible_d_sep(Matrix<const std::uint8_t> joined, Matrix<const std::uint8_t> heads,
                    Matrix<std::uint8_t> within) {
    const std::size_t p = joined.shape(0);
    for (const std::size_t side :
         {joined.shape(1), heads.shape(0), heads.shape(1), within.shape(0), within.shape(1)})
        if (side != p) throw std::invalid_argument("possible_d_sep: matrices of different shape");
    std::uint8_t *out = within.data();
    Interrupt interrupt;
    {
        nb::gil_scoped_release release;
        const BitRows near(joined.data(), p), arrows(heads.data(), p);
        BitRows entered(p);
        std::vector<std::pair<std::size_t, std::size_t>> waiting;
        for (std::size_t x = 0; x < p && !interrupt.poll(); ++x) {
            walk(x, p, near, arrows, entered, waiting);
            for (std::size_t b = 0; b < p; ++b) out[x * p + b] = b != x && entered.any(b);
        }
    }
    interrupt.rethrow();
}

}  // namespace

void bind_possible_d_sep(nb::module_ &m) {
    m.def("possible_d_sep", &possible_d_sep, fixed("joined"), fixed("heads"), fixed("within"));
}

}  // namespace margin
