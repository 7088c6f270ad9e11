// The rows of a tree, those of a node one after another, and their division by a split.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "common/index.hpp"
#include "common/team.hpp"
#include "trees/binned/histogram.hpp"

namespace margin::trees {

// Rows and what is summed over them travel together, so that histograms read both in order.
class RowOrder {
  public:
    std::vector<std::uint32_t> rows;
    std::vector<Packed> packed;

    void resize(Index n) {
        rows.resize(n);
        packed.resize(n);
        spare_rows_.resize(n);
        spare_packed_.resize(n);
    }

    // Moves the rows of [first, last) with goes_left[code] to the front; both parts keep their
    // order. Returns where the second part starts, and what the first sums to.
    std::pair<Index, Packed> divide(Index first, Index last, const std::uint8_t *column,
                                    const std::uint8_t *goes_left, int n_threads) {
        const Index total = last - first, blocks = (total + block - 1) / block;
        counts_.assign(blocks, 0);
        sums_.assign(blocks, 0);
        // Node after node: threads are worth more than the few rows of one make it seem.
        const double work = 16.0 * static_cast<double>(total);
        // Every block is divided into its own place: left ones from its start, right ones from its
        // end backwards.
        team::each(n_threads, work, blocks, [&](Index b) {
            const Index from = first + b * block, to = std::min(last, from + block);
            std::uint32_t *spare_rows = spare_rows_.data();
            Packed *spare_packed = spare_packed_.data();
            Index left = from, right = to - 1;
            Packed sum = 0;
            for (Index i = from; i < to; ++i) {
                const std::uint32_t row = rows[i];
                const Packed value = packed[i];
                const Index goes = goes_left[column[row]];
                // Both ends are free, so that no branch has to be foreseen; one of them moves on.
                spare_rows[left] = spare_rows[right] = row;
                spare_packed[left] = spare_packed[right] = value;
                sum += value & -goes;
                left += goes;
                right -= 1 - goes;
            }
            counts_[b] = left - from;
            sums_[b] = sum;
        });
        Index lefts = 0;
        for (const Index count : counts_) lefts += count;
        const Index middle = first + lefts;
        starts_.resize(blocks);
        Index left = first, right = middle;
        for (Index b = 0; b < blocks; ++b) {
            starts_[b] = {left, right};
            left += counts_[b];
            right += std::min(last, first + (b + 1) * block) - (first + b * block) - counts_[b];
        }
        team::each(n_threads, work, blocks, [&](Index b) {
            const Index from = first + b * block, to = std::min(last, from + block);
            const Index cut = from + counts_[b];
            std::copy(spare_rows_.begin() + from, spare_rows_.begin() + cut,
                      rows.begin() + starts_[b].first);
            std::copy(spare_packed_.begin() + from, spare_packed_.begin() + cut,
                      packed.begin() + starts_[b].first);
            std::reverse_copy(spare_rows_.begin() + cut, spare_rows_.begin() + to,
                              rows.begin() + starts_[b].second);
            std::reverse_copy(spare_packed_.begin() + cut, spare_packed_.begin() + to,
                              packed.begin() + starts_[b].second);
        });
        return {middle, std::accumulate(sums_.begin(), sums_.end(), Packed{0})};
    }

  private:
    static constexpr Index block = 16384;
    std::vector<std::uint32_t> spare_rows_;
    std::vector<Packed> spare_packed_;
    std::vector<Index> counts_;
    std::vector<Packed> sums_;
    std::vector<std::pair<Index, Index>> starts_;
};

}  // namespace margin::trees
