// The expectation step: weighted sums over rows of the posterior of every family.
#include <cmath>
#include <stdexcept>

#include "junction/sweep.hpp"

namespace margin::junction {
namespace {

// Counts of some rows: the beliefs of a clique's families are written to a buffer while its belief
// is passed over, and added up before the next clique.
template <typename Engine>
class FamilyCounts {
  public:
    static constexpr int B = Engine::width;

    FamilyCounts(const Program &p, Engine &engine, const Rows &rows, Index first, int count,
                 const double *weight, Index buffered, double *counts)
        : p_(p), engine_(engine), rows_(rows), first_(first), count_(count), counts_(counts),
          buffer_(buffered * B) {
        for (int r = 0; r < B; ++r)
            weight_[r] = r < count && !std::isinf(engine.log_mass(r)) ? weight[first + r] : 0.0;
    }

    void add_all() {
        engine_.distribute([&](int c, std::vector<Output> &outputs) {
            flush();
            want(c, outputs);
        });
        flush();
        for (int f : p_.constants)
            for (int r = 0; r < count_; ++r)
                counts_[p_.table_at[f] + engine_.offset(rows_, first_ + r, f)] += weight_[r];
    }

  private:
    void want(int c, std::vector<Output> &outputs) {
        const Clique &clique = p_.cliques[c];
        owner_ = c;
        wanted_.clear();
        double *at = buffer_.data();
        for (std::size_t k = 0; k < clique.families.size(); ++k) {
            const Index size = p_.slice_size[clique.families[k]];
            wanted_.push_back({&clique.to_family[k], at, size});
            at += size * B;
        }
        outputs.insert(outputs.end(), wanted_.begin(), wanted_.end());
    }

    void flush() {
        if (owner_ < 0) return;
        const auto &families = p_.cliques[owner_].families;
        for (std::size_t k = 0; k < families.size(); ++k) add(families[k], wanted_[k].to);
    }

    void add(int f, const double *from) {
        double *all = counts_ + p_.table_at[f];
        if (p_.sliced_var[f].empty()) {
            for (Index e = 0; e < p_.slice_size[f]; ++e)
                for (int r = 0; r < B; ++r) all[e] += weight_[r] * from[e * B + r];
            return;
        }
        const auto &entry = p_.slice_from[f];
        for (int r = 0; r < count_; ++r) {
            if (weight_[r] == 0.0) continue;
            double *to = all + engine_.offset(rows_, first_ + r, f);
            for (Index e = 0; e < p_.slice_size[f]; ++e)
                to[entry[e]] += weight_[r] * from[e * B + r];
        }
    }

    const Program &p_;
    Engine &engine_;
    const Rows &rows_;
    Index first_;
    int count_, owner_ = -1;
    double *counts_;
    double weight_[B];  // zero for rows that do not count
    std::vector<double> buffer_;
    std::vector<Output> wanted_;
};

}  // namespace

void run_counts(Junction &junction, Floats tables, States evidence, Likelihoods likelihoods,
                Vector<double> log_mass, Floats weight, Vector<double> out, int n_threads) {
    const Program &p = junction.program();
    const Index total = p.table_at.back();
    if (static_cast<Index>(out.size()) != total || weight.size() != evidence.shape(0))
        throw std::invalid_argument("junction: arrays of different shape");
    const double *w = weight.data();
    std::vector<double> partial(count_groups * total, 0.0);
    Index buffered = 0;
    for (const Clique &c : p.cliques) {
        Index here = 0;
        for (int f : c.families) here += p.slice_size[f];
        buffered = std::max(buffered, here);
    }
    sweep_any(p, tables, evidence, likelihoods, log_mass, true, false, n_threads,
              [&](auto &engine, const Rows &rows, Index first, int count, int group) {
                  FamilyCounts(p, engine, rows, first, count, w, buffered,
                               partial.data() + group * total)
                      .add_all();
              });
    double *to = out.data();
    std::fill(to, to + total, 0.0);
    for (int g = 0; g < count_groups; ++g)
        for (Index i = 0; i < total; ++i) to[i] += partial[g * total + i];
}

}  // namespace margin::junction
