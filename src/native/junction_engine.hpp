// Propagation through a compiled program, for one row (B = 1) or `lanes` rows at a time.
//
// Upwards every clique multiplies its sources and sends the sum over its own variables; each message
// is scaled to a largest entry of one and the scale is kept as a logarithm, so nothing underflows.
// Downwards the belief of a separator divided by the message sent (0/0 = 0) turns the stored product
// into the belief of the clique, block by block, without writing it back.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "interrupt.hpp"
#include "junction_kernels.hpp"
#include "native.hpp"

namespace margin::junction {

struct Rows {
    const std::int32_t *evidence = nullptr;  // (rows, variables), -1 where unobserved
    Size n_vars = 0;
    std::vector<const double *> likelihood;  // per variable: (rows, card) or null

    std::int32_t state(Size row, int v) const { return evidence[row * n_vars + v]; }
};

// Entries below which waiting for a second thread, on a machine with other work, costs more than it saves.
constexpr Size worth_threads = Size{1} << 20;
constexpr int most_chunks = 8;
constexpr Size worth_polling = Size{1} << 14;

// Calls f(block index, offsets of the maps) for blocks [from, to) of a domain.
template <typename F>
inline void walk(const Domain &domain, const std::vector<const Map *> &maps, Size from, Size to, F &&f) {
    std::vector<Size> digit(domain.outer), offset(maps.size(), 0);
    Size rest = from;
    for (int a = domain.outer - 1; a >= 0; --a) {
        digit[a] = rest % domain.dims[a];
        rest /= domain.dims[a];
        for (std::size_t m = 0; m < maps.size(); ++m) offset[m] += digit[a] * maps[m]->outer[a];
    }
    for (Size b = from; b < to; ++b) {
        f(b, offset.data());
        for (int a = domain.outer - 1; a >= 0; --a) {
            for (std::size_t m = 0; m < maps.size(); ++m) offset[m] += maps[m]->outer[a];
            if (++digit[a] < domain.dims[a]) break;
            for (std::size_t m = 0; m < maps.size(); ++m)
                offset[m] -= domain.dims[a] * maps[m]->outer[a];
            digit[a] = 0;
        }
    }
}

struct Output {
    const Map *map;
    double *to;
    Size size;
};

template <int B>
class Engine {
  public:
    static constexpr int width = B;

    Engine(const Program &program, const double *tables, const double *base, const Size *base_at,
           bool store, bool maximise, int n_threads, Interrupt &interrupt)
        : p_(program), tables_(tables), base_(base), base_at_(base_at), store_(store),
          maximise_(maximise), threads_(n_threads), interrupt_(interrupt) {
        Size at = 0;
        auto reserve = [&](Size size) { return std::exchange(at, at + size * B); };
        for (const Clique &c : p_.cliques) {
            up_.push_back(reserve(c.separator_size));
            down_.push_back(reserve(c.separator_size));
            home_.push_back(reserve(c.home_size));
        }
        for (const Product &product : p_.products) product_.push_back(reserve(product.domain.size));
        unary_.resize(p_.cards.size());
        for (std::size_t v = 0; v < p_.cards.size(); ++v)
            unary_[v] = p_.roles[v] == Role::unary ? reserve(p_.cards[v]) : 0;
        slice_.resize(p_.scopes.size());
        if (B > 1)
            for (std::size_t f = 0; f < p_.scopes.size(); ++f)
                slice_[f] = p_.sliced_var[f].empty() ? 0 : reserve(p_.slice_size[f]);
        Size tables_size = 0;
        for (std::size_t c = 0; c < p_.cliques.size(); ++c) {
            table_.push_back(tables_size);
            if (keeps(static_cast<int>(c))) tables_size += p_.cliques[c].domain.size * B;
        }
        arena_.reset(new double[at + 1]);
        stored_.reset(new double[tables_size + 1]);
        largest_.resize(p_.cliques.size() * B);
        slice_offset_.resize(p_.scopes.size());
        Size widest = 1;
        for (const Clique &c : p_.cliques) widest = std::max(widest, c.separator_size);
        ratio_.resize(widest * B);
    }

    // Rows beyond `count` repeat the last one: every lane works on real numbers.
    void collect(const Rows &rows, Size first, int count) {
        std::fill(scale_, scale_ + B, 0.0);
        std::fill(factor_, factor_ + B, 1.0);
        read(rows, first, count);
        for (std::size_t c = p_.cliques.size(); c-- > 0 && !stop(c);) send_up(static_cast<int>(c));
        flush_scale();
    }

    // Logarithm of the mass, -inf where it is zero.
    double log_mass(int lane) const { return scale_[lane]; }

    // `visit(clique)` tells the further outputs wanted from a clique's belief.
    template <typename Visit>
    void distribute(Visit &&visit) {
        for (std::size_t c = 0; c < p_.cliques.size() && !stop(c); ++c)
            send_down(static_cast<int>(c), visit);
    }

    // Marginals of one variable, state by state for the first `count` lanes, `stride` apart.
    void marginal(int v, int count, double *out, Size stride) const {
        const Axis &axis = p_.axis_of[v];
        const double *from = arena_.get() + (axis.separator ? down_ : home_)[axis.clique];
        double total[B];
        std::fill(total, total + B, 0.0);
        for (Size k = 0; k < axis.card; ++k) {
            double sum[B];
            std::fill(sum, sum + B, 0.0);
            for (Size o = 0; o < axis.outer; ++o) {
                const double *row = from + ((o * axis.card + k) * axis.inner) * B;
                for (Size i = 0; i < axis.inner; ++i)
                    for (int r = 0; r < B; ++r) sum[r] += row[i * B + r];
            }
            for (int r = 0; r < B; ++r) total[r] += sum[r];
            for (int r = 0; r < count; ++r) out[r * stride + k] = sum[r];
        }
        for (int r = 0; r < count; ++r)
            for (Size k = 0; total[r] > 0.0 && k < axis.card; ++k) out[r * stride + k] /= total[r];
    }

    // The best completion, from the root down; ties go to the first entry.
    void trace_back(int lane, std::int32_t *states) const {
        for (const Clique &c : p_.cliques) {
            const std::size_t id = &c - p_.cliques.data();
            Size at = 0;
            for (int v : c.separator) at = at * p_.cards[v] + states[v];
            const double *table = stored_.get() + table_[id] + at * B + lane;
            const Size own = c.domain.size / c.separator_size;
            Size best = 0;
            for (Size r = 1; r < own; ++r)
                if (table[r * c.separator_size * B] > table[best * c.separator_size * B]) best = r;
            for (std::size_t k = c.domain.vars.size() - c.separator.size(); k-- > 0;) {
                states[c.domain.vars[k]] = static_cast<std::int32_t>(best % c.domain.dims[k]);
                best /= c.domain.dims[k];
            }
        }
    }

    // Belief of the joint query from the product of its clique, a root.
    void query(double *out, const Map &map, Size size) {
        const int c = p_.query_clique;
        std::fill(out, out + size * B, 0.0);
        const Output wanted{&map, out, size};
        outputs_.assign(1, wanted);
        pass(p_.cliques[c].domain, no_sources_, nullptr, stored_.get() + table_[c], nullptr, outputs_);
    }

  private:
    // Large cliques are worth a look at the clock; after a signal the numbers do not matter.
    bool stop(std::size_t c) {
        return p_.cliques[c].domain.size >= worth_polling && interrupt_.poll();
    }

    bool keeps(int c) const { return store_ || c == p_.query_clique; }

    const double *pointer(const Source &source) const {
        switch (source.kind) {
            case Source::Kind::table:
                return B == 1 ? tables_ + p_.table_at[source.id] + slice_offset_[source.id]
                              : arena_.get() + slice_[source.id];
            case Source::Kind::message: return arena_.get() + up_[source.id];
            case Source::Kind::unary: return arena_.get() + unary_[source.id];
            default: return arena_.get() + product_[source.id];
        }
    }

    void read(const Rows &rows, Size first, int count) {
        for (std::size_t v = 0; v < p_.cards.size(); ++v) {
            const double *given = rows.likelihood[v];
            const Size card = p_.cards[v];
            for (int r = 0; r < B; ++r) {
                const Size row = first + std::min(r, count - 1);
                const std::int32_t state = rows.state(row, static_cast<int>(v));
                if (p_.roles[v] == Role::sliced && given) scale_[r] += std::log(given[row * card + state]);
                if (p_.roles[v] != Role::unary) continue;
                double *to = arena_.get() + unary_[v] + r;
                for (Size k = 0; k < card; ++k)
                    to[k * B] = (state < 0 || state == k) ? (given ? given[row * card + k] : 1.0) : 0.0;
            }
        }
        for (std::size_t f = 0; f < p_.scopes.size(); ++f) {
            slice_offset_[f] = 0;
            if (p_.sliced_var[f].empty()) continue;
            for (int r = 0; r < B; ++r) {
                const Size at = offset(rows, first + std::min(r, count - 1), static_cast<int>(f));
                if (B == 1) slice_offset_[f] = at;
                if (B == 1) continue;
                const double *from = tables_ + p_.table_at[f] + at;
                double *to = arena_.get() + slice_[f] + r;
                const auto &entry = p_.slice_from[f];
                for (std::size_t e = 0; e < entry.size(); ++e) to[e * B] = from[entry[e]];
            }
        }
        for (int f : p_.constants)
            for (int r = 0; r < B; ++r)
                scale_[r] += std::log(
                    tables_[p_.table_at[f] + offset(rows, first + std::min(r, count - 1), f)]);
    }

  public:
    Size offset(const Rows &rows, Size row, int f) const {
        Size at = 0;
        for (std::size_t k = 0; k < p_.sliced_var[f].size(); ++k)
            at += p_.sliced_stride[f][k] * rows.state(row, p_.sliced_var[f][k]);
        return at;
    }

  private:
    // Multiplies the sources (or reads a stored product), keeps it if asked, and sums into outputs.
    void pass(const Domain &domain, const std::vector<Source> &sources, const double *shared,
              const double *stored, double *keep, const std::vector<Output> &outputs,
              const Map *ratio_map = nullptr, const double *ratio = nullptr) {
        if (domain.blocks == 1) {
            pass_once(domain.size, sources, shared, stored, keep, outputs, ratio_map, ratio);
            return;
        }
        Size wanted = 1;
        for (const Output &output : outputs) wanted += output.size;
        int chunks = 1;
        if (B == 1 && domain.size >= worth_threads)
            chunks = static_cast<int>(std::clamp<Size>(domain.size / (2 * wanted), 2, most_chunks));
        chunks = static_cast<int>(std::min<Size>(chunks, domain.blocks));
        std::vector<double> partial((chunks - 1) * wanted, 0.0);
        std::vector<const Map *> maps;
        for (const Source &source : sources) maps.push_back(&source.map);
        for (const Output &output : outputs) maps.push_back(output.map);
        if (ratio_map) maps.push_back(ratio_map);
#pragma omp parallel for schedule(dynamic) num_threads(threads_) if (chunks > 1 && threads_ > 1)
        for (int chunk = 0; chunk < chunks; ++chunk) {
            std::vector<Output> mine = outputs;
            double *at = chunk ? partial.data() + (chunk - 1) * wanted : nullptr;
            for (Output &output : mine)
                if (chunk) output.to = std::exchange(at, at + output.size);
            pass_blocks(domain, sources, shared, stored, keep, mine, maps, ratio,
                        domain.blocks * chunk / chunks, domain.blocks * (chunk + 1) / chunks);
        }
        const double *at = partial.data();
        for (int chunk = 1; chunk < chunks; ++chunk, ++at)
            for (const Output &output : outputs) {
                for (Size i = 0; i < output.size; ++i)
                    output.to[i] = maximise_ ? std::max(output.to[i], at[i]) : output.to[i] + at[i];
                at += output.size;
            }
    }

    // The same for a domain of a single block, which most are: no bookkeeping.
    void pass_once(Size n, const std::vector<Source> &sources, const double *shared,
                   const double *stored, double *keep, const std::vector<Output> &outputs,
                   const Map *ratio_map, const double *ratio) {
        alignas(64) double buffer[(B == 1 ? block_entries : batch_entries) * B];
        double *block = keep ? keep : buffer;
        const double *result = block;
        bool first = true;
        if (shared) {
            if constexpr (B > 1) spread_lanes(block, shared, n);
            first = false;
        }
        if (stored) {
            result = stored;
            if (ratio) std::copy(stored, stored + n * B, buffer), result = block = buffer;
            first = false;
        }
        for (const Source &source : sources) {
            multiply(first, block, pointer(source), source.map, n);
            first = false;
        }
        if (first) std::fill(block, block + n * B, 1.0);
        if (ratio) multiply(false, block, ratio, *ratio_map, n);
        for (const Output &output : outputs) gather(output.to, result, *output.map, n);
    }

    void pass_blocks(const Domain &domain, const std::vector<Source> &sources, const double *shared,
                     const double *stored, double *keep, const std::vector<Output> &outputs,
                     const std::vector<const Map *> &maps, const double *ratio, Size from, Size to) {
        const Size n = domain.block;
        alignas(64) double buffer[(B == 1 ? block_entries : batch_entries) * B];
        std::vector<const double *> data;
        for (const Source &source : sources) data.push_back(pointer(source));
        walk(domain, maps, from, to, [&](Size b, const Size *at) {
            double *block = keep ? keep + b * n * B : buffer;
            bool first = true;
            if (shared) {
                if constexpr (B > 1) spread_lanes(block, shared + b * n, n);
                first = false;
            }
            const double *result = block;
            if (stored) {
                result = stored + b * n * B;
                if (ratio) std::copy(result, result + n * B, buffer), result = block = buffer;
                first = false;
            }
            std::size_t m = 0;
            for (; m < data.size(); ++m) {
                multiply(first, block, data[m] + at[m] * B, *maps[m], n);
                first = false;
            }
            if (first) std::fill(block, block + n * B, 1.0);
            if (ratio) multiply(false, block, ratio + at[m + outputs.size()] * B, *maps.back(), n);
            for (std::size_t k = 0; k < outputs.size(); ++k, ++m)
                gather(outputs[k].to + at[m] * B, result, *maps[m], n);
        });
    }

    static void multiply(bool first, double *block, const double *source, const Map &map, Size n) {
        if constexpr (B == 1)
            (first ? set_row : multiply_row)(block, source, map, n);
        else
            (first ? set_lanes : multiply_lanes)(block, source, map, n);
    }

    void gather(double *out, const double *block, const Map &map, Size n) const {
        if constexpr (B == 1)
            (maximise_ ? max_row : add_row)(out, block, map, n);
        else
            (maximise_ ? max_lanes : add_lanes)(out, block, map, n);
    }

    // Scales a table to a largest entry of one, lane by lane.
    void rescale(double *table, Size size, double *kept) {
        double top[B];
        std::fill(top, top + B, 0.0);
        for (Size i = 0; i < size; ++i)
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
        for (Size i = 0; i < size; ++i)
            for (int r = 0; r < B; ++r) table[i * B + r] *= factor[r];
    }

    void flush_scale() {
        for (int r = 0; r < B; ++r) {
            scale_[r] += std::log(factor_[r]);
            factor_[r] = 1.0;
        }
    }

    void send_up(int c) {
        const Clique &clique = p_.cliques[c];
        for (int id : clique.products) {
            const Product &product = p_.products[id];
            double *out = arena_.get() + product_[id];
            outputs_.clear();
            pass(product.domain, product.sources, nullptr, nullptr, out, outputs_);
            rescale(out, product.domain.size, nullptr);
        }
        double *message = arena_.get() + up_[c];
        std::fill(message, message + clique.separator_size * B, 0.0);
        const double *shared = B > 1 && !clique.base.empty() ? base_ + base_at_[c] : nullptr;
        outputs_.assign(1, {&clique.to_separator, message, clique.separator_size});
        pass(clique.domain, clique.sources, shared, nullptr,
             keeps(c) ? stored_.get() + table_[c] : nullptr,
             outputs_);
        rescale(message, clique.separator_size, largest_.data() + c * B);
    }

    template <typename Visit>
    void send_down(int c, Visit &&visit) {
        const Clique &clique = p_.cliques[c];
        double *belief = arena_.get() + down_[c];
        const double *sent = arena_.get() + up_[c];
        const double *top = largest_.data() + c * B;
        if (clique.parent < 0) std::fill(belief, belief + B, 1.0);
        double *ratio = ratio_.data();
        for (Size i = 0; i < clique.separator_size; ++i)
            for (int r = 0; r < B; ++r) {
                const double raw = sent[i * B + r] * top[r];
                ratio[i * B + r] = raw > 0.0 ? belief[i * B + r] / raw : 0.0;
            }
        std::vector<Output> &outputs = outputs_;
        outputs.clear();
        for (std::size_t k = 0; k < clique.children.size(); ++k) {
            const int child = clique.children[k];
            outputs.push_back({&clique.to_child[k], arena_.get() + down_[child],
                               p_.cliques[child].separator_size});
        }
        if (clique.home_size)
            outputs.push_back({&clique.to_home, arena_.get() + home_[c], clique.home_size});
        visit(c, outputs);
        for (const Output &output : outputs) std::fill(output.to, output.to + output.size * B, 0.0);
        if (!outputs.empty())
            pass(clique.domain, no_sources_, nullptr, stored_.get() + table_[c], nullptr, outputs,
                 &clique.to_separator, ratio);
    }

    const Program &p_;
    const double *tables_, *base_;
    const Size *base_at_;
    bool store_, maximise_;
    int threads_;
    Interrupt &interrupt_;
    std::vector<Size> up_, down_, home_, product_, unary_, slice_, table_, slice_offset_;
    std::vector<double> largest_, ratio_;
    std::vector<Output> outputs_;
    const std::vector<Source> no_sources_;
    std::unique_ptr<double[]> arena_, stored_;
    double scale_[B], factor_[B];
};

}  // namespace margin::junction
