// Linear regression of blocks of columns on blocks of columns, from second moments alone.
#pragma once

#include <cstddef>
#include <vector>

#include "structure/family.hpp"

namespace margin::structure {

// A node is one column of numbers, or the indicators of a category; its score is that of a normal
// law of its columns given those of its parents, which does not depend on the order of either.
class BlockScorer final : public Scorer {
  public:
    BlockScorer(const double *covariance, const std::vector<int> &sizes, double n_rows, Kind kind,
                double penalty_rows);

    double compute(int child, const Parents &parents) const override;
    void compute_adding(int child, const Parents &parents, const std::vector<int> &extra,
                        double *out, int n_threads) const override;

    double effort() const override { return 10.0 * static_cast<double>(width_); }

  private:
    std::vector<int> starts_;  // first column of every node, and the number of columns
    std::size_t width_;
    std::vector<double> covariance_;
    double n_rows_;
    Kind kind_;
    double penalty_rows_;
};

}  // namespace margin::structure
