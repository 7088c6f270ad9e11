// Decomposable scores of a family (a child and its parents), kept in a cache.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace margin::structure {

using Parents = std::vector<int>;  // sorted node numbers
using Code = std::uint16_t;

class Scorer {
  public:
    explicit Scorer(int n_nodes) : n_nodes_(n_nodes) {}
    virtual ~Scorer() = default;
    Scorer(const Scorer &) = delete;
    Scorer &operator=(const Scorer &) = delete;

    int n_nodes() const { return n_nodes_; }
    std::size_t n_evaluated() const { return cache_.size(); }

    double score(int child, const Parents &parents) {
        const std::u16string key = name(child, parents);
        if (const auto found = cache_.find(key); found != cache_.end()) return found->second;
        const double value = compute(child, parents);
        cache_.emplace(key, value);
        return value;
    }

    // Parents to be added to a child whose scores are not in the cache.
    struct Unknown {
        std::vector<int> extra;
        std::vector<std::u16string> keys;
    };

    // out[i] = score of the child with parent i added, for every wanted i; others are untouched.
    void adding(int child, const Parents &parents, const std::vector<char> &wanted, double *out,
                int n_threads) {
        const Unknown todo = look_up(child, parents, wanted, out);
        if (todo.extra.empty()) return;
        compute_adding(child, parents, todo.extra, out, n_threads);
        keep(todo, out);
    }

    // The part of `adding` that the cache knows, and what it does not.
    Unknown look_up(int child, const Parents &parents, const std::vector<char> &wanted,
                    double *out) const {
        Unknown todo;
        for (int i = 0; i < n_nodes_; ++i) {
            if (!wanted[i]) continue;
            Parents more = parents;
            more.insert(std::lower_bound(more.begin(), more.end(), i), i);
            std::u16string key = name(child, more);
            if (const auto found = cache_.find(key); found != cache_.end()) {
                out[i] = found->second;
            } else {
                todo.extra.push_back(i);
                todo.keys.push_back(std::move(key));
            }
        }
        return todo;
    }

    void keep(const Unknown &todo, const double *out) {
        for (std::size_t t = 0; t < todo.keys.size(); ++t)
            cache_.emplace(todo.keys[t], out[todo.extra[t]]);
    }

    // Score without the cache, safe to call from several threads at once.
    virtual double compute(int child, const Parents &parents) const = 0;
    virtual void compute_adding(int child, const Parents &parents, const std::vector<int> &extra,
                                double *out, int n_threads) const = 0;

    // Work of one family, in numbers read.
    virtual double effort() const = 0;

  private:
    static std::u16string name(int child, const Parents &parents) {
        std::u16string key;
        key.reserve(parents.size() + 1);
        key.push_back(static_cast<char16_t>(child));
        for (const int parent : parents) key.push_back(static_cast<char16_t>(parent));
        return key;
    }

    int n_nodes_;
    std::unordered_map<std::u16string, double> cache_;
};

enum class Kind : int { bic = 0, aic = 1, bdeu = 2, k2 = 3 };

// Counts of the rows by mixed-radix keys; a column with unknown values has one more state, its
// last.
class CategoricalScorer final : public Scorer {
  public:
    CategoricalScorer(const Code *codes, std::size_t n_rows, int n_nodes, const std::int64_t *cards,
                      const double *weight, Kind kind, double sample_size, double penalty_rows);

    double compute(int child, const Parents &parents) const override;
    void compute_adding(int child, const Parents &parents, const std::vector<int> &extra,
                        double *out, int n_threads) const override;

    // Every row adds one to a cell that lies anywhere in a table: 1.6 ns, as long as it takes to
    // read twenty numbers that lie side by side.
    double effort() const override { return 20.0 * static_cast<double>(n_); }

  private:
    double dense(int child, const Parents &parents, const std::vector<std::uint32_t> &base,
                 std::size_t base_size, int extra, std::vector<double> &counts,
                 std::vector<std::uint32_t> &tally) const;
    double sparse(int child, const Parents &parents, int extra) const;
    bool fits(double cells) const;
    double finish(double likelihood, double seen, double configurations, int child) const;
    double cell(double count, double prior) const;
    double group(double count, double prior) const;
    const Code *column(int j) const { return codes_.data() + static_cast<std::size_t>(j) * n_; }

    std::vector<Code> codes_;
    std::size_t n_;
    std::vector<std::int64_t> card_;  // states that are values
    std::vector<std::int64_t> size_;  // states with the unknown one, where there is one
    std::vector<double> weight_;      // empty: one per row
    std::vector<double> x_log_x_;
    double total_;
    Kind kind_;
    double sample_size_;
    double penalty_rows_;  // of which BIC takes the logarithm
};

// Linear regression of the child on its parents, from second moments alone.
class GaussianScorer final : public Scorer {
  public:
    GaussianScorer(const double *covariance, int n_nodes, double n_rows, Kind kind,
                   double penalty_rows);

    double compute(int child, const Parents &parents) const override;
    void compute_adding(int child, const Parents &parents, const std::vector<int> &extra,
                        double *out, int n_threads) const override;

    double effort() const override { return 10.0 * static_cast<double>(n_nodes()); }

  private:
    double value(double variance, std::size_t n_parents, double scale) const;

    std::vector<double> covariance_;
    double n_rows_;
    Kind kind_;
    double penalty_rows_;
};

// A scorer of its own for some nodes, as where experiments leave each of them other rows.
class SwitchedScorer final : public Scorer {
  public:
    SwitchedScorer(std::vector<Scorer *> parts, std::vector<int> which)
        : Scorer(static_cast<int>(which.size())), parts_(std::move(parts)),
          which_(std::move(which)) {}

    double compute(int child, const Parents &parents) const override {
        return parts_[which_[child]]->compute(child, parents);
    }
    void compute_adding(int child, const Parents &parents, const std::vector<int> &extra,
                        double *out, int n_threads) const override {
        parts_[which_[child]]->compute_adding(child, parents, extra, out, n_threads);
    }
    double effort() const override { return parts_.front()->effort(); }

  private:
    std::vector<Scorer *> parts_;
    std::vector<int> which_;
};

}  // namespace margin::structure
