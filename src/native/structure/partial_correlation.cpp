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

// Rows are filled up with zeros to a multiple of this length, which stays in registers.
constexpr std::size_t block = 8;

// One row of whitened correlations after the other, and what is left of variance and covariance.
struct Step {
    const double *r, *whitened, *pivot;
    std::size_t depth, length;
    double scale, own;
    const double *rest, *shared;
};

// w[b] = (r[b] - sum_a pivot[a] whitened[a][b]) * scale
MARGIN_CLONES void whiten(const Step &step, double *w, double *rest_next, double *shared_next) {
    const auto [r, whitened, pivot, depth, length, scale, own, rest, shared] = step;
    const double first = own * scale;
    for (std::size_t from = 0; from < length; from += block) {
        double part[block];
        for (std::size_t b = 0; b < block; ++b) part[b] = r[from + b];
        for (std::size_t a = 0; a < depth; ++a) {
            const double factor = pivot[a];
            const double *row = whitened + a * length + from;
            for (std::size_t b = 0; b < block; ++b) part[b] -= factor * row[b];
        }
        for (std::size_t b = 0; b < block; ++b) part[b] *= scale;
        for (std::size_t b = 0; b < block; ++b) w[from + b] = part[b];
        for (std::size_t b = 0; b < block; ++b)
            rest_next[from + b] = rest[from + b] - part[b] * part[b];
        for (std::size_t b = 0; b < block; ++b)
            shared_next[from + b] = shared[from + b] - first * part[b];
    }
}

class GaussianWorker {
  public:
    GaussianWorker(const double *correlation, std::size_t p, double n_rows, double cut)
        : correlation_(correlation), p_(p), n_rows_(n_rows), cut_(cut) {
        resize(0);
    }

    void begin(int i, const std::vector<int> &near) {
        const std::size_t size = near.size() + 1;
        last_ = near.size();  // the node itself
        length_ = (size + block - 1) / block * block;
        members_.assign(near.begin(), near.end());
        members_.push_back(i);
        local_.assign(size * length_, 0.0);
        for (std::size_t a = 0; a < size; ++a)
            for (std::size_t b = 0; b < size; ++b)
                local_[a * length_ + b] =
                    correlation_[static_cast<std::size_t>(members_[a]) * p_ + members_[b]];
        rest_.assign(length_, 1.0);
        shared_.assign(local_.end() - static_cast<Index>(length_), local_.end());
        whitened_.clear();
    }

    void condition(const std::vector<std::size_t> &set, std::size_t first) {
        if (set.size() != level_) resize(set.size());
        whitened_.resize(level_ * length_);
        rest_.resize((level_ + 1) * length_);
        shared_.resize((level_ + 1) * length_);
        pivot_.resize(level_);
        for (std::size_t a = first; a < level_; ++a) {
            const std::size_t s = set[a], row = a * length_;
            const double left = rest_[row + s];
            double own = local_[s * length_ + last_];
            for (std::size_t b = 0; b < a; ++b) {
                pivot_[b] = whitened_[b * length_ + s];
                own -= pivot_[b] * whitened_[b * length_ + last_];
            }
            // A variable that the others of the set determine adds nothing to the condition.
            const double scale = left > 1e-10 ? 1.0 / std::sqrt(left) : 0.0;
            const Step step{local_.data() + s * length_,
                            whitened_.data(),
                            pivot_.data(),
                            a,
                            length_,
                            scale,
                            own,
                            rest_.data() + row,
                            shared_.data() + row};
            whiten(step, whitened_.data() + row, rest_.data() + row + length_,
                   shared_.data() + row + length_);
        }
    }

    // The closeness is the squared partial correlation with its sign turned.
    skeleton::Verdict judge(std::size_t a, double &closeness) const {
        if (root_ == 0.0) return skeleton::Verdict::skipped;
        const std::size_t row = level_ * length_;
        const double left = rest_[row + a], own = rest_[row + last_], shared = shared_[row + a];
        const double square = left > 1e-10 && own > 1e-10 ? shared * shared / (left * own) : 0.0;
        closeness = -square;
        // The statistic itself is only needed where rounding of the limit might matter.
        const bool below =
            std::abs(square - limit_) > 1e-9 * limit_ ? square < limit_ : statistic(square) <= cut_;
        return below ? skeleton::Verdict::independent : skeleton::Verdict::dependent;
    }

    double p_value(double closeness) const {
        return std::erfc(statistic(-closeness) * 0.7071067811865476);
    }

  private:
    void resize(std::size_t level) {
        level_ = level;
        root_ = std::sqrt(std::max(n_rows_ - static_cast<double>(level) - 3.0, 0.0));
        const double limit = root_ > 0.0 ? std::tanh(cut_ / root_) : 1.0;
        limit_ = limit * limit;
    }

    double statistic(double square) const {
        return root_ * std::atanh(std::min(std::sqrt(square), 1.0 - 1e-15));
    }

    const double *correlation_;
    std::size_t p_, last_ = 0, length_ = 0, level_ = 0;
    double n_rows_, cut_, root_ = 0.0, limit_ = 0.0;
    std::vector<int> members_;
    std::vector<double> local_, whitened_, rest_, shared_, pivot_;
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
