// The k nearest of the points seen so far, or all within a radius; equal distances in the order of
// their numbers.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace margin::neighbors {

struct Neighbour {
    double distance;
    std::int64_t number;
    bool operator<(const Neighbour &other) const {
        return distance < other.distance || (distance == other.distance && number < other.number);
    }
};

// Few are kept in order, many in a heap with the farthest on top. Without a number of neighbours
// (k = 0) all within the limit are kept.
class Nearest {
  public:
    explicit Nearest(std::size_t k) : kept_(k), k_(k) {}

    void clear(double limit = std::numeric_limits<double>::infinity()) {
        if (k_ == 0) kept_.clear();
        count_ = 0;
        limit_ = limit;
    }

    // Points beyond are of no interest.
    double limit() const { return limit_; }

    void offer(double distance, std::int64_t number) {
        const Neighbour fresh{distance, number};
        if (k_ == 0)
            kept_.push_back(fresh), ++count_;
        else if (k_ <= few)
            insert(fresh);
        else
            heap(fresh);
    }

    // In order; fewer than k where fewer were offered.
    std::size_t finish() {
        if (k_ == 0 || k_ > few)
            std::sort(kept_.begin(), kept_.begin() + static_cast<std::ptrdiff_t>(count_));
        return count_;
    }
    const Neighbour *data() const { return kept_.data(); }
    const Neighbour &operator[](std::size_t i) const { return kept_[i]; }

  private:
    static constexpr std::size_t few = 32;

    void insert(const Neighbour &fresh) {
        if (count_ == k_) {
            if (!(fresh < kept_[k_ - 1])) return;
        } else {
            ++count_;
        }
        std::size_t at = count_ - 1;
        for (; at > 0 && fresh < kept_[at - 1]; --at) kept_[at] = kept_[at - 1];
        kept_[at] = fresh;
        if (count_ == k_) limit_ = kept_[k_ - 1].distance;
    }

    void heap(const Neighbour &fresh) {
        const auto begin = kept_.begin(), end = begin + static_cast<std::ptrdiff_t>(k_);
        if (count_ < k_) {
            kept_[count_++] = fresh;
            if (count_ == k_) std::make_heap(begin, end);
        } else if (fresh < kept_[0]) {
            std::pop_heap(begin, end);
            kept_[k_ - 1] = fresh;
            std::push_heap(begin, end);
        }
        if (count_ == k_) limit_ = kept_[0].distance;
    }

    std::vector<Neighbour> kept_;
    std::size_t k_, count_ = 0;
    double limit_ = std::numeric_limits<double>::infinity();
};

}  // namespace margin::neighbors
