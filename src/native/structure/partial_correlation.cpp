// Skeleton of Gaussian variables: partial correlations by whitening one conditioning variable at a
// time.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cmath>
#include <stdexcept>

#include "common/bind.hpp"
#include "common/native.hpp"
#include "structure/skeleton.hpp"

namespace margin {
namespace {

// One row of whitened correlations after the other, and what is left of variance and covariance.
struct Step {
    const double *r, *whitened, *pivot;
    std::size_t depth, size;
    double scale, own;
    const double *rest, *shared;
};

// w[b] = (r[b] - sum_a pivot[a] whitened[a][b]) * scale
MARGIN_CLONES void whiten(const Step &step, double *w, double *rest_next, double *shared_next) {
    const auto [r, whitened, pivot, depth, size, scale, own, rest, shared] = step;
    for (std::size_t b = 0; b < size; ++b) w[b] = r[b];
    for (std::size_t a = 0; a < depth; ++a) {
        const double factor = pivot[a];
        const double *row = whitened + a * size;
        for (std::size_t b = 0; b < size; ++b) w[b] -= factor * row[b];
    }
    const double first = own * scale;
    for (std::size_t b = 0; b < size; ++b) {
        w[b] *= scale;
        rest_next[b] = rest[b] - w[b] * w[b];
        shared_next[b] = shared[b] - first * w[b];
    }
}

class GaussianWorker {
  public:
    GaussianWorker(const double *correlation, std::size_t p, double n_rows, double cut)
        : correlation_(correlation), p_(p), n_rows_(n_rows), cut_(cut) {}

    void begin(int i, const std::vector<int> &near) {
        size_ = near.size() + 1;  // the node itself is last
        members_.assign(near.begin(), near.end());
        members_.push_back(i);
        local_.resize(size_ * size_);
        for (std::size_t a = 0; a < size_; ++a)
            for (std::size_t b = 0; b < size_; ++b)
                local_[a * size_ + b] =
                    correlation_[static_cast<std::size_t>(members_[a]) * p_ + members_[b]];
        rest_.assign(size_, 1.0);
        shared_.assign(local_.end() - static_cast<Index>(size_), local_.end());
        whitened_.clear();
    }

    void condition(const std::vector<std::size_t> &set, std::size_t first) {
        level_ = set.size();
        whitened_.resize(level_ * size_);
        rest_.resize((level_ + 1) * size_);
        shared_.resize((level_ + 1) * size_);
        std::vector<double> pivot(level_);
        for (std::size_t a = first; a < level_; ++a) {
            const std::size_t s = set[a];
            const double left = rest_[a * size_ + s];
            double own = local_[s * size_ + size_ - 1];
            for (std::size_t b = 0; b < a; ++b) {
                pivot[b] = whitened_[b * size_ + s];
                own -= pivot[b] * whitened_[b * size_ + size_ - 1];
            }
            // A variable that the others of the set determine adds nothing to the condition.
            const double scale = left > 1e-10 ? 1.0 / std::sqrt(left) : 0.0;
            const Step step{local_.data() + s * size_,
                            whitened_.data(),
                            pivot.data(),
                            a,
                            size_,
                            scale,
                            own,
                            rest_.data() + a * size_,
                            shared_.data() + a * size_};
            whiten(step, whitened_.data() + a * size_, rest_.data() + (a + 1) * size_,
                   shared_.data() + (a + 1) * size_);
        }
        root_ = std::sqrt(std::max(n_rows_ - static_cast<double>(level_) - 3.0, 0.0));
    }

    skeleton::Verdict judge(std::size_t a, double &p_value) const {
        if (root_ == 0.0) return skeleton::Verdict::skipped;
        const double left = rest_[level_ * size_ + a], own = rest_[level_ * size_ + size_ - 1];
        double r = 0.0;
        if (left > 1e-10 && own > 1e-10) r = shared_[level_ * size_ + a] / std::sqrt(left * own);
        r = std::min(std::max(r, -1.0 + 1e-15), 1.0 - 1e-15);
        const double z = root_ * std::abs(std::atanh(r));
        p_value = std::erfc(z * 0.7071067811865476);
        return z <= cut_ ? skeleton::Verdict::independent : skeleton::Verdict::dependent;
    }

  private:
    const double *correlation_;
    std::size_t p_, size_ = 0, level_ = 0;
    double n_rows_, cut_, root_ = 0.0;
    std::vector<int> members_;
    std::vector<double> local_, whitened_, rest_, shared_;
};

Record gaussian_skeleton(Matrix<const double> correlation, double n_rows, double cut,
                         std::size_t max_level, Matrix<const std::uint8_t> start,
                         Matrix<const std::uint8_t> required,
                         std::optional<Matrix<const std::uint8_t>> candidates,
                         Matrix<std::uint8_t> adjacency, Matrix<double> largest_p, int n_threads,
                         std::int64_t max_tests) {
    const std::size_t p = correlation.shape(0);
    for (const std::size_t side : {correlation.shape(1), start.shape(0), start.shape(1),
                                   required.shape(0), required.shape(1), adjacency.shape(0),
                                   adjacency.shape(1), largest_p.shape(0), largest_p.shape(1)})
        if (side != p)
            throw std::invalid_argument("gaussian_skeleton: matrices of different shape");
    if (candidates && (candidates->shape(0) != p || candidates->shape(1) != p))
        throw std::invalid_argument("gaussian_skeleton: matrices of different shape");
    const std::uint8_t *rows = candidates ? candidates->data() : nullptr;
    skeleton::Skeleton found;
    {
        nb::gil_scoped_release release;
        const double *r = correlation.data();
        found = skeleton::search(
            p, start.data(), required.data(), rows, max_level,
            [&] { return GaussianWorker(r, p, n_rows, cut); }, 40.0, n_threads, max_tests);
    }
    return skeleton::to_python(found, adjacency, largest_p);
}

}  // namespace

void bind_partial_correlation(nb::module_ &m) {
    m.def("gaussian_skeleton", &gaussian_skeleton, fixed("correlation"), nb::arg("n_rows"),
          nb::arg("cut"), nb::arg("max_level"), fixed("start"), fixed("required"),
          maybe("candidates"), fixed("adjacency"), fixed("largest_p"), nb::arg("n_threads"),
          nb::arg("max_tests"));
}

}  // namespace margin
