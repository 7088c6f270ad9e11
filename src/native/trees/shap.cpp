// Shapley values of the predictions of a forest (TreeSHAP), leaf by leaf.
#include <algorithm>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/bind.hpp"
#include "common/native.hpp"
#include "common/team.hpp"
#include "trees/bindings.hpp"
#include "trees/paths.hpp"
#include "trees/prediction/packed_forest.hpp"
#include "trees/shapley.hpp"

namespace margin {

namespace {

using trees::Factor;
using trees::Leaf;
using trees::PackedForest;
using trees::PackedTree;
using trees::Products;
using trees::Quadratures;
using trees::TreePaths;

// Most features of a path whose answers are kept by pattern of satisfied factors.
constexpr Index most_patterns = 10;

// What features are worth while they are not known: the shares of the training weight, or whether
// rows of a background satisfy them, each with its weight.
struct Outsides {
    std::vector<double> weight, worth;  // `worth` holds one run of factors for each weight
};

// Worths outside for every leaf of a tree.
template <typename T>
std::vector<Outsides> outsides(const PackedForest &forest, const PackedTree &tree,
                               const TreePaths &paths, const T *background, Index n_background,
                               Index n_features) {
    std::vector<Outsides> all(paths.leaves.size());
    if (n_background == 0) {
        for (std::size_t l = 0; l < all.size(); ++l) {
            all[l].weight = {1.0};
            for (const Factor &factor : paths.of(paths.leaves[l]))
                all[l].worth.push_back(factor.share);
        }
        return all;
    }
    std::vector<std::map<std::string, Index>> counts(paths.leaves.size());
    std::vector<std::uint8_t> goes_left(tree.size);
    std::string pattern;
    for (Index b = 0; b < n_background; ++b) {
        trees::turn_row(forest, tree, background + b * n_features, goes_left.data());
        for (std::size_t l = 0; l < all.size(); ++l) {
            pattern.clear();
            for (const Factor &factor : paths.of(paths.leaves[l]))
                pattern.push_back(paths.holds(factor, goes_left.data()) ? 1 : 0);
            ++counts[l][pattern];
        }
    }
    for (std::size_t l = 0; l < all.size(); ++l)
        for (const auto &[which, count] : counts[l]) {
            all[l].weight.push_back(static_cast<double>(count) / static_cast<double>(n_background));
            for (const char bit : which) all[l].worth.push_back(bit);
        }
    return all;
}

// Answers of one leaf: `width` numbers for each pattern of satisfied factors.
class LeafAnswers {
  public:
    LeafAnswers(Index n_factors, bool pairs)
        : m_(n_factors), width_(pairs ? m_ * m_ : m_), pairs_(pairs),
          kept_(m_ <= (pairs ? 6 : most_patterns)) {
        if (kept_) {
            values_.resize((std::size_t{1} << m_) * width_);
            known_.resize(std::size_t{1} << m_);
        } else {
            values_.resize(width_);
        }
    }

    const double *get(const std::uint8_t *holds, const Outsides &outside, const Quadratures &rules,
                      Products &scratch) {
        std::size_t at = 0;
        if (kept_) {
            for (Index i = 0; i < m_; ++i) at |= static_cast<std::size_t>(holds[i]) << i;
            if (known_[at]) return values_.data() + at * width_;
            known_[at] = 1;
        }
        double *answer = values_.data() + at * width_;
        compute(holds, outside, rules, scratch, answer);
        return answer;
    }

  private:
    void compute(const std::uint8_t *holds, const Outsides &outside, const Quadratures &rules,
                 Products &scratch, double *answer) {
        inside_.assign(holds, holds + m_);
        part_.resize(width_);
        std::fill(answer, answer + width_, 0.0);
        for (std::size_t o = 0; o < outside.weight.size(); ++o) {
            const double *worth = outside.worth.data() + o * m_;
            bool possible = true;
            for (Index i = 0; i < m_; ++i) possible &= inside_[i] != 0.0 || worth[i] != 0.0;
            if (!possible) continue;
            if (pairs_)
                trees::shapley_pairs(rules, m_, inside_.data(), worth, part_.data(), scratch);
            else
                trees::shapley_values(rules, m_, inside_.data(), worth, part_.data(), scratch);
            for (Index i = 0; i < width_; ++i) answer[i] += outside.weight[o] * part_[i];
        }
    }

    Index m_, width_;
    bool pairs_, kept_;
    std::vector<double> values_, inside_, part_;
    std::vector<std::uint8_t> known_;
};

// Adds v * answer to the columns of the features of a leaf; `stride` numbers for each feature.
struct Target {
    double *row;
    Index n_columns, n_outputs;  // features and the one more for what is expected
};

void add_values(const Target &to, std::span<const Factor> factors, const double *answer,
                const double *value, Index first, Index last) {
    for (std::size_t i = 0; i < factors.size(); ++i) {
        double *out = to.row + factors[i].feature * to.n_outputs;
        for (Index k = first; k < last; ++k) out[k] += answer[i] * value[k - first];
    }
}

void add_pairs(const Target &to, std::span<const Factor> factors, const double *answer,
               const double *value, Index first, Index last) {
    const std::size_t m = factors.size();
    for (std::size_t i = 0; i < m; ++i)
        for (std::size_t j = 0; j < m; ++j) {
            if (i == j) continue;
            const Index cell = factors[i].feature * to.n_columns + factors[j].feature;
            double *out = to.row + cell * to.n_outputs;
            for (Index k = first; k < last; ++k) out[k] += answer[i * m + j] * value[k - first];
        }
}

template <typename T>
void explain_rows(const PackedForest &forest, const double *cover, const T *X, Index n,
                  const T *background, Index n_background, const Quadratures &rules, bool pairs,
                  double *out) {
    const Index f = forest.n_features, k = forest.n_outputs, width = forest.width;
    const Index row_size = pairs ? (f + 1) * (f + 1) * k : (f + 1) * k;
    Products scratch;
    std::vector<std::uint8_t> goes_left, holds;
    for (const PackedTree &tree : forest.trees) {
        const TreePaths paths(forest, tree, cover + tree.first);
        const auto outside = outsides(forest, tree, paths, background, n_background, f);
        std::vector<LeafAnswers> answers;
        for (const Leaf &leaf : paths.leaves)
            answers.emplace_back(leaf.last_factor - leaf.first_factor, pairs);
        goes_left.resize(tree.size);
        const bool few = tree.size <= 64;
        const Index first = tree.output >= 0 ? tree.output : 0;
        const Index last = tree.output >= 0 ? tree.output + 1 : k;
        for (Index r = 0; r < n; ++r) {
            trees::turn_row(forest, tree, X + r * f, goes_left.data());
            const Target to{out + r * row_size, f + 1, k};
            const std::uint64_t bits = few ? TreePaths::as_bits(goes_left.data(), tree.size) : 0;
            for (std::size_t l = 0; l < paths.leaves.size(); ++l) {
                const auto factors = paths.of(paths.leaves[l]);
                holds.resize(factors.size());
                for (std::size_t i = 0; i < factors.size(); ++i)
                    holds[i] = few ? ((bits ^ factors[i].wanted) & factors[i].asked) == 0
                                   : paths.holds(factors[i], goes_left.data());
                const double *answer = answers[l].get(holds.data(), outside[l], rules, scratch);
                const double *value =
                    forest.value.data() + (tree.first + paths.leaves[l].node) * width;
                if (pairs)
                    add_pairs(to, factors, answer, value, first, last);
                else
                    add_values(to, factors, answer, value, first, last);
            }
        }
    }
}

template <typename T>
void explain(const PackedForest &forest, Vector<const double> cover, Matrix<const T> X,
             Matrix<const T> background, bool pairs, Matrix<double> out, int n_threads) {
    const Index n = X.shape(0), f = forest.n_features;
    if (static_cast<Index>(X.shape(1)) != f || static_cast<Index>(background.shape(1)) != f)
        throw std::invalid_argument("explain: another number of columns than in the trees");
    if (cover.size() != forest.nodes.size())
        throw std::invalid_argument("explain: cover must have one number per node");
    const Index cells = pairs ? (f + 1) * (f + 1) : f + 1;
    if (static_cast<Index>(out.shape(0)) != n ||
        static_cast<Index>(out.shape(1)) != cells * forest.n_outputs)
        throw std::invalid_argument("explain: out must have a cell per feature and output");
    nb::gil_scoped_release release;
    // `cover` comes in the order of the trees as they were given.
    std::vector<double> packed_cover(cover.size());
    Index deepest = 1;
    for (const PackedTree &tree : forest.trees) {
        deepest = std::max(deepest, tree.depth);
        for (Index i = 0; i < tree.size; ++i)
            packed_cover[tree.first + i] = cover.data()[tree.first + forest.origin[tree.first + i]];
    }
    const Quadratures rules(std::min(deepest, f));
    // Threads keep answers of their own, so pieces are as large as they can be.
    const std::size_t pieces = std::max(1, n_threads);
    const std::size_t width = std::max<std::size_t>(64, (n + pieces - 1) / pieces);
    const double work = 4.0 * static_cast<double>(n) * static_cast<double>(forest.nodes.size());
    team::each_block(n_threads, work, n, width, [&](std::size_t first, std::size_t last) {
        explain_rows<T>(forest, packed_cover.data(), X.data() + first * f, last - first,
                        background.data(), background.shape(0), rules, pairs,
                        out.data() + first * out.shape(1));
    });
}

}  // namespace

void bind_tree_shap(nb::module_ &m) {
    for_tables([&]<typename T>() {
        m.def("explain_forest", &explain<T>, nb::arg("forest"), fixed("cover"), fixed("X"),
              fixed("background"), nb::arg("pairs"), fixed("out"), nb::arg("n_threads"));
    });
}

}  // namespace margin
