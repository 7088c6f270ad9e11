// Candidates for the nearest points of one query, by bounds in single precision.
//
// For a query q and a point y let c be the computed |y|^2 (1 - g) - 2 q y, with g above the
// relative rounding of the product. Then  c - g |q|^2  <=  |q - y|^2 - |q|^2  <=  c + 2 g |y|^2 +
// g |q|^2, so a point is none of the k nearest if its c exceeds the k-th smallest c + 2 g |y|^2
// among any points by more than 2 g |q|^2.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace margin::neighbors {

class Candidates {
  public:
    // `lift` holds 2 g |y|^2 of every point, `own` is 2 g |q|^2. With k = 0 the limit stays.
    void start(std::size_t k, const float *lift, float own, float limit) {
        k_ = k;
        lift_ = lift;
        own_ = own;
        limit_ = limit;
        room_ = std::max<std::size_t>(48, 4 * k);
        low_.clear();
        number_.clear();
    }

    // Above this no point is of interest any more.
    float limit() const { return limit_; }

    void offer(float low, std::uint32_t number) {
        low_.push_back(low);
        number_.push_back(number);
        if (k_ > 0 && low_.size() >= room_) tighten();
    }

    // Drops what is known to be too far.
    void tighten() {
        if (k_ == 0 || low_.size() < k_) return;
        high_.resize(low_.size());
        for (std::size_t i = 0; i < low_.size(); ++i) high_[i] = low_[i] + lift_[number_[i]];
        std::nth_element(high_.begin(), high_.begin() + std::ptrdiff_t(k_ - 1), high_.end());
        const float sum = high_[k_ - 1] + own_;
        limit_ = std::min(limit_, sum + 4e-7f * std::fabs(sum) + 1e-30f);
        std::size_t kept = 0;
        for (std::size_t i = 0; i < low_.size(); ++i)
            if (low_[i] <= limit_) {
                low_[kept] = low_[i];
                number_[kept++] = number_[i];
            }
        low_.resize(kept);
        number_.resize(kept);
        room_ = std::max<std::size_t>(room_, 2 * kept);
    }

    const std::vector<std::uint32_t> &numbers() const { return number_; }

  private:
    std::size_t k_ = 0, room_ = 0;
    const float *lift_ = nullptr;
    float own_ = 0.0f, limit_ = 0.0f;
    std::vector<float> low_, high_;
    std::vector<std::uint32_t> number_;
};

}  // namespace margin::neighbors
