// Lists of different lengths, gathered by blocks of queries and handed to Python as three arrays.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

#include "common/native.hpp"
#include "neighbors/nearest.hpp"

namespace margin::neighbors {

template <typename T>
using Owned = nb::ndarray<nb::numpy, T, nb::ndim<1>, nb::c_contig>;

template <typename T>
Owned<T> owned(std::vector<T> &&values) {
    auto *held = new std::vector<T>(std::move(values));
    nb::capsule owner(held, [](void *p) noexcept { delete static_cast<std::vector<T> *>(p); });
    return Owned<T>(held->data(), {held->size()}, owner);
}

// Offsets of the lists, distances, numbers.
using Ragged = std::tuple<Owned<std::int64_t>, Owned<double>, Owned<std::int64_t>>;

// One list per query; a block of queries is written by one thread.
class Lists {
  public:
    Lists(std::size_t n_queries, std::size_t step)
        : counts_(n_queries + 1, 0), pieces_((n_queries + step - 1) / step), step_(step) {}

    // Queries of a block come in order.
    template <typename M>
    void append(std::size_t query, const Neighbour *listed, std::size_t count, const M &measure) {
        auto &piece = pieces_[query / step_];
        for (std::size_t j = 0; j < count; ++j)
            piece.push_back({measure.full(listed[j].distance), listed[j].number});
        counts_[query + 1] = static_cast<std::int64_t>(count);
    }

    // Needs the GIL.
    Ragged hand_over() {
        for (std::size_t i = 1; i < counts_.size(); ++i) counts_[i] += counts_[i - 1];
        const auto total = static_cast<std::size_t>(counts_.back());
        std::vector<double> distance;
        std::vector<std::int64_t> number;
        distance.reserve(total);
        number.reserve(total);
        for (auto &piece : pieces_) {
            for (const Neighbour &one : piece) {
                distance.push_back(one.distance);
                number.push_back(one.number);
            }
            std::vector<Neighbour>().swap(piece);
        }
        return {owned(std::move(counts_)), owned(std::move(distance)), owned(std::move(number))};
    }

  private:
    std::vector<std::int64_t> counts_;
    std::vector<std::vector<Neighbour>> pieces_;
    std::size_t step_;
};

}  // namespace margin::neighbors
