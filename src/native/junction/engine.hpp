// Propagation through a compiled program, for one row (B = 1) or `lanes` rows at a time.
//
// Upwards every clique multiplies its sources and sends the sum over its own variables; each
// message is scaled to a largest entry of one and the scale is kept as a logarithm, so nothing
// underflows. Downwards the belief of a separator divided by the message sent (0/0 = 0) turns the
// stored product into the belief of the clique, block by block, without writing it back.
#pragma once

#include "common/interrupt.hpp"
#include "junction/pass.hpp"

namespace margin::junction {

constexpr Index worth_polling = Index{1} << 14;  // entries of a clique

template <int B>
class Engine {
  public:
    static constexpr int width = B;

    Engine(const Program &program, const double *tables, const double *base, const Index *base_at,
           bool store, bool maximise, int n_threads, Interrupt &interrupt)
        : m_(program, tables, base, base_at, store), passes_{m_, maximise, n_threads},
          interrupt_(interrupt) {
        largest_.resize(m_.p.cliques.size() * B);
        Index widest = 1;
        for (const Clique &c : m_.p.cliques) widest = std::max(widest, c.separator_size);
        ratio_.resize(widest * B);
    }

    // Rows beyond `count` repeat the last one: every lane works on real numbers.
    void collect(const Rows &rows, Index first, int count) {
        std::fill(scale_, scale_ + B, 0.0);
        std::fill(factor_, factor_ + B, 1.0);
        m_.read(rows, first, count, scale_);
        for (std::size_t c = m_.p.cliques.size(); c-- > 0 && !stop(c);)
            send_up(static_cast<int>(c));
        flush_scale();
    }

    // Logarithm of the mass, -inf where it is zero.
    double log_mass(int lane) const { return scale_[lane]; }

    // `visit(clique)` tells the further outputs wanted from a clique's belief.
    template <typename Visit>
    void distribute(Visit &&visit) {
        for (std::size_t c = 0; c < m_.p.cliques.size() && !stop(c); ++c)
            send_down(static_cast<int>(c), visit);
    }

    // Marginals of one variable, state by state for the first `count` lanes, `stride` apart.
    void marginal(int v, int count, double *out, Index stride) const {
        const Axis &axis = m_.p.axis_of[v];
        const double *from = m_.arena.get() + (axis.separator ? m_.down : m_.home)[axis.clique];
        double total[B];
        std::fill(total, total + B, 0.0);
        for (Index k = 0; k < axis.card; ++k) {
            double sum[B];
            std::fill(sum, sum + B, 0.0);
            for (Index o = 0; o < axis.outer; ++o) {
                const double *row = from + ((o * axis.card + k) * axis.inner) * B;
                for (Index i = 0; i < axis.inner; ++i)
                    for (int r = 0; r < B; ++r) sum[r] += row[i * B + r];
            }
            for (int r = 0; r < B; ++r) total[r] += sum[r];
            for (int r = 0; r < count; ++r) out[r * stride + k] = sum[r];
        }
        for (int r = 0; r < count; ++r)
            for (Index k = 0; total[r] > 0.0 && k < axis.card; ++k) out[r * stride + k] /= total[r];
    }

    // The best completion, from the root down; ties go to the first entry.
    void trace_back(int lane, std::int32_t *states) const {
        for (const Clique &c : m_.p.cliques) {
            const std::size_t id = &c - m_.p.cliques.data();
            Index at = 0;
            for (int v : c.separator) at = at * m_.p.cards[v] + states[v];
            const double *table = m_.stored.get() + m_.table[id] + at * B + lane;
            const Index own = c.domain.size / c.separator_size;
            Index best = 0;
            for (Index r = 1; r < own; ++r)
                if (table[r * c.separator_size * B] > table[best * c.separator_size * B]) best = r;
            for (std::size_t k = c.domain.vars.size() - c.separator.size(); k-- > 0;) {
                states[c.domain.vars[k]] = static_cast<std::int32_t>(best % c.domain.dims[k]);
                best /= c.domain.dims[k];
            }
        }
    }

    // Belief of the joint query from the product of its clique, a root.
    void query(double *out, const Map &map, Index size) {
        const int c = m_.p.query_clique;
        std::fill(out, out + size * B, 0.0);
        const Output wanted{&map, out, size};
        outputs_.assign(1, wanted);
        passes_.run({.domain = m_.p.cliques[c].domain,
                     .sources = no_sources_,
                     .stored = m_.stored.get() + m_.table[c]},
                    outputs_);
    }

    Index offset(const Rows &rows, Index row, int f) const { return m_.offset(rows, row, f); }

  private:
    // Large cliques are worth a look at the clock; after a signal the numbers do not matter.
    bool stop(std::size_t c) {
        return m_.p.cliques[c].domain.size >= worth_polling && interrupt_.poll();
    }

    // Scales a table to a largest entry of one, lane by lane.
    void rescale(double *table, Index size, double *kept) {
        double top[B];
        std::fill(top, top + B, 0.0);
        for (Index i = 0; i < size; ++i)
            for (int r = 0; r < B; ++r) top[r] = std::max(top[r], table[i * B + r]);
        double factor[B];
        double least = factor_[0], most = factor_[0];
        for (int r = 0; r < B; ++r) {
            factor[r] = top[r] > 0.0 ? 1.0 / top[r] : 0.0;
            factor_[r] *= top[r];
            least = std::min(least, factor_[r]);
            most = std::max(most, factor_[r]);
            if (kept) kept[r] = top[r];
        }
        // One logarithm for many scales, before their product leaves the safe range.
        if (!(least > 1e-150 && most < 1e150)) flush_scale();
        for (Index i = 0; i < size; ++i)
            for (int r = 0; r < B; ++r) table[i * B + r] *= factor[r];
    }

    void flush_scale() {
        for (int r = 0; r < B; ++r) {
            scale_[r] += std::log(factor_[r]);
            factor_[r] = 1.0;
        }
    }

    void send_up(int c) {
        const Clique &clique = m_.p.cliques[c];
        for (int id : clique.products) {
            const Product &product = m_.p.products[id];
            double *out = m_.arena.get() + m_.product[id];
            outputs_.clear();
            passes_.run({.domain = product.domain, .sources = product.sources, .keep = out},
                        outputs_);
            rescale(out, product.domain.size, nullptr);
        }
        double *message = m_.arena.get() + m_.up[c];
        std::fill(message, message + clique.separator_size * B, 0.0);
        const double *shared = B > 1 && !clique.base.empty() ? m_.base + m_.base_at[c] : nullptr;
        outputs_.assign(1, {&clique.to_separator, message, clique.separator_size});
        passes_.run({.domain = clique.domain,
                     .sources = clique.sources,
                     .shared = shared,
                     .keep = m_.keeps(c) ? m_.stored.get() + m_.table[c] : nullptr},
                    outputs_);
        rescale(message, clique.separator_size, largest_.data() + c * B);
    }

    template <typename Visit>
    void send_down(int c, Visit &&visit) {
        const Clique &clique = m_.p.cliques[c];
        double *belief = m_.arena.get() + m_.down[c];
        const double *sent = m_.arena.get() + m_.up[c];
        const double *top = largest_.data() + c * B;
        if (clique.parent < 0) std::fill(belief, belief + B, 1.0);
        double *ratio = ratio_.data();
        for (Index i = 0; i < clique.separator_size; ++i)
            for (int r = 0; r < B; ++r) {
                const double raw = sent[i * B + r] * top[r];
                ratio[i * B + r] = raw > 0.0 ? belief[i * B + r] / raw : 0.0;
            }
        std::vector<Output> &outputs = outputs_;
        outputs.clear();
        for (std::size_t k = 0; k < clique.children.size(); ++k) {
            const int child = clique.children[k];
            outputs.push_back({&clique.to_child[k], m_.arena.get() + m_.down[child],
                               m_.p.cliques[child].separator_size});
        }
        if (clique.home_size)
            outputs.push_back({&clique.to_home, m_.arena.get() + m_.home[c], clique.home_size});
        visit(c, outputs);
        for (const Output &output : outputs) std::fill(output.to, output.to + output.size * B, 0.0);
        if (!outputs.empty())
            passes_.run({.domain = clique.domain,
                         .sources = no_sources_,
                         .stored = m_.stored.get() + m_.table[c],
                         .ratio_map = &clique.to_separator,
                         .ratio = ratio},
                        outputs);
    }

    Memory<B> m_;
    Passes<B> passes_;
    Interrupt &interrupt_;
    std::vector<double> largest_, ratio_;
    std::vector<Output> outputs_;
    const std::vector<Source> no_sources_;
    double scale_[B], factor_[B];
};

}  // namespace margin::junction
