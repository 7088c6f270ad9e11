// Contingency tables of categorical columns, and the tests of conditional independence on them.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "native.hpp"
#include "skeleton.hpp"

namespace margin {
namespace {

using Code = std::uint16_t;

// Q(a, x), the upper regularised incomplete gamma function: series below a + 1, continued fraction above.
double upper_gamma(double a, double x) {
    if (!(x > 0.0)) return 1.0;
    const double front = std::exp(a * std::log(x) - x - std::lgamma(a));
    if (x < a + 1.0) {
        double term = 1.0 / a, sum = term;
        for (double k = a + 1.0; term > sum * 1e-17; k += 1.0) sum += term *= x / k;
        return std::max(0.0, 1.0 - front * sum);
    }
    double b = x + 1.0 - a, c = 1e300, d = 1.0 / b, h = d;
    for (int k = 1; k < 100000; ++k) {
        const double factor = -k * (k - a);
        b += 2.0;
        d = 1.0 / (factor * d + b);
        c = b + factor / c;
        h *= d * c;
        if (std::abs(d * c - 1.0) < 1e-16) break;
    }
    return front * h;
}

double chi_squared_tail(double x, double dof) { return dof > 0.0 ? upper_gamma(0.5 * dof, 0.5 * x) : 1.0; }

enum class Statistic : int { g = 0, chi_squared = 1 };
enum class Pool : int { sum = 0, largest = 1, bonferroni = 2 };

struct Outcome {
    double statistic = 0.0, dof = 0.0, p_value = 1.0;
    bool reliable = true;
};

struct Rule {
    Statistic statistic;
    Pool pool;
    double min_count;
};

// Columns as rows of a matrix; the last state of a column, its own number of states, means unknown.
struct Columns {
    const Code *codes;
    std::size_t n, p;
    std::vector<std::int64_t> card, size;
    const double *weight;

    Columns(const Matrix<const Code> &table, const Vector<const std::int64_t> &cards, const double *w)
        : codes(table.data()), n(table.shape(1)), p(table.shape(0)),
          card(cards.data(), cards.data() + cards.size()), size(card), weight(w) {
        if (cards.size() != p) throw std::invalid_argument("contingency: one number of states per column");
        for (std::size_t j = 0; j < p; ++j)
            for (std::size_t r = 0; r < n; ++r) {
                if (codes[j * n + r] > card[j]) throw std::invalid_argument("contingency: code above its column's states");
                if (codes[j * n + r] == card[j]) size[j] = card[j] + 1;
            }
    }

    const Code *column(std::size_t j) const { return codes + j * n; }
};

MARGIN_CLONES void extend(const std::uint32_t *key, const Code *code, std::uint32_t size, std::uint32_t *next,
                          std::size_t n) {
    for (std::size_t r = 0; r < n; ++r) next[r] = key[r] * size + code[r];
}

void one_stratum(const double *table, std::size_t rows, std::size_t cols, std::size_t stride,
                 const Rule &rule, std::vector<double> &row, std::vector<double> &col, Outcome &out) {
    row.assign(rows, 0.0);
    col.assign(cols, 0.0);
    double total = 0.0;
    for (std::size_t a = 0; a < rows; ++a)
        for (std::size_t b = 0; b < cols; ++b) {
            row[a] += table[a * stride + b];
            col[b] += table[a * stride + b];
        }
    std::size_t seen_rows = 0, seen_cols = 0;
    for (const double v : row) total += v, seen_rows += v > 0.0;
    for (const double v : col) seen_cols += v > 0.0;
    out = Outcome{};
    if (total <= 0.0) return;
    out.dof = static_cast<double>((seen_rows - 1) * (seen_cols - 1));
    for (std::size_t a = 0; a < rows; ++a)
        for (std::size_t b = 0; b < cols; ++b) {
            const double expected = row[a] * col[b] / total, seen = table[a * stride + b];
            if (expected <= 0.0) continue;
            if (rule.statistic == Statistic::g) {
                if (seen > 0.0) out.statistic += 2.0 * seen * std::log(seen / expected);
            } else {
                out.statistic += (seen - expected) * (seen - expected) / expected;
            }
        }
    out.statistic = std::max(out.statistic, 0.0);
}

// The test given columns `given`: the key of a row is (given, i); the table then runs over (given, i, j).
class CategoricalWorker {
  public:
    CategoricalWorker(const Columns &data, const Rule &rule, double alpha)
        : data_(data), rule_(rule), alpha_(alpha) {}

    void begin(int i, const std::vector<int> &near) {
        node_ = static_cast<std::size_t>(i);
        near_ = near;
    }

    void condition(const std::vector<std::size_t> &set, std::size_t first) {
        given_.resize(set.size());
        keys_.resize(set.size());
        strata_.resize(set.size() + 1);
        strata_[0] = 1.0;
        for (std::size_t a = first; a < set.size(); ++a) {
            given_[a] = static_cast<std::size_t>(near_[set[a]]);
            const std::int64_t size = data_.size[given_[a]];
            strata_[a + 1] = strata_[a] * static_cast<double>(size);
            keys_[a].resize(data_.n);
            if (strata_[a + 1] > LIMIT) continue;
            if (a == 0) std::copy(data_.column(given_[0]), data_.column(given_[0]) + data_.n, keys_[0].begin());
            else extend(keys_[a - 1].data(), data_.column(given_[a]), static_cast<std::uint32_t>(size), keys_[a].data(), data_.n);
        }
        if (strata_.back() * static_cast<double>(data_.size[node_]) > LIMIT) return;
        own_.resize(data_.n);
        const Code *code = data_.column(node_);
        if (set.empty()) std::copy(code, code + data_.n, own_.begin());
        else extend(keys_.back().data(), code, static_cast<std::uint32_t>(data_.size[node_]), own_.data(), data_.n);
    }

    Outcome test(std::size_t j) {
        const std::size_t rows = static_cast<std::size_t>(data_.size[node_]), cols = static_cast<std::size_t>(data_.size[j]);
        const double cells = strata_.back() * static_cast<double>(rows * cols);
        Outcome pooled;
        if (cells > LIMIT) {
            pooled.reliable = false;
            return pooled;
        }
        counts_.assign(static_cast<std::size_t>(cells), 0.0);
        const Code *code = data_.column(j);
        if (data_.weight) {
            for (std::size_t r = 0; r < data_.n; ++r) counts_[own_[r] * cols + code[r]] += data_.weight[r];
        } else {
            tally_.assign(static_cast<std::size_t>(cells), 0);
            for (std::size_t r = 0; r < data_.n; ++r) ++tally_[own_[r] * cols + code[r]];
            std::copy(tally_.begin(), tally_.end(), counts_.begin());
        }
        return pool(rows, cols, j);
    }

    skeleton::Verdict judge(std::size_t a, double &p_value) {
        const Outcome outcome = test(static_cast<std::size_t>(near_[a]));
        p_value = outcome.p_value;
        if (!outcome.reliable) return skeleton::Verdict::skipped;
        return outcome.p_value > alpha_ ? skeleton::Verdict::independent : skeleton::Verdict::dependent;
    }

  private:
    static constexpr double LIMIT = 16777216.0;

    Outcome pool(std::size_t rows, std::size_t cols, std::size_t j) {
        const std::size_t strata = static_cast<std::size_t>(strata_.back());
        const std::size_t known_rows = static_cast<std::size_t>(data_.card[node_]), known_cols = static_cast<std::size_t>(data_.card[j]);
        std::vector<std::size_t> digit(given_.size(), 0);
        Outcome pooled, one;
        double largest = 0.0, smallest = 1.0, tested = 0.0, seen = 0.0, known_strata = 1.0;
        for (const std::size_t g : given_) known_strata *= static_cast<double>(data_.card[g]);
        for (std::size_t s = 0; s < strata; ++s) {
            bool unknown = false;
            for (std::size_t d = 0; d < given_.size(); ++d)
                unknown = unknown || digit[d] >= static_cast<std::size_t>(data_.card[given_[d]]);
            for (std::size_t d = given_.size(); d-- > 0;) {
                if (++digit[d] < static_cast<std::size_t>(data_.size[given_[d]])) break;
                digit[d] = 0;
            }
            if (unknown) continue;
            one_stratum(counts_.data() + s * rows * cols, known_rows, known_cols, cols, rule_, row_, col_, one);
            for (const double v : row_) seen += v;
            if (one.dof <= 0.0) continue;
            pooled.statistic += one.statistic;
            pooled.dof += one.dof;
            tested += 1.0;
            if (rule_.pool == Pool::sum) continue;
            const double p_value = chi_squared_tail(one.statistic, one.dof);
            largest = std::max(largest, p_value);
            smallest = std::min(smallest, p_value);
        }
        const double cells = known_strata * static_cast<double>(known_rows * known_cols);
        pooled.reliable = seen >= rule_.min_count * cells;
        if (tested == 0.0) return pooled;
        if (rule_.pool == Pool::sum) pooled.p_value = chi_squared_tail(pooled.statistic, pooled.dof);
        if (rule_.pool == Pool::largest) pooled.p_value = largest;
        if (rule_.pool == Pool::bonferroni) pooled.p_value = std::min(1.0, smallest * tested);
        return pooled;
    }

    const Columns &data_;
    Rule rule_;
    double alpha_;
    std::size_t node_ = 0;
    std::vector<int> near_;
    std::vector<std::size_t> given_;
    std::vector<double> strata_{1.0};
    std::vector<std::vector<std::uint32_t>> keys_;
    std::vector<std::uint32_t> own_, tally_;
    std::vector<double> counts_, row_, col_;
};

Rule rule_of(int statistic, int pool, double min_count) {
    if (statistic < 0 || statistic > 1 || pool < 0 || pool > 2)
        throw std::invalid_argument("contingency: unknown statistic or pooling");
    return Rule{static_cast<Statistic>(statistic), static_cast<Pool>(pool), min_count};
}

std::tuple<double, double, double, bool> categorical_test(
    Matrix<const Code> codes, Vector<const std::int64_t> cards, std::optional<Vector<const double>> weight,
    int i, int j, std::vector<int> given, int statistic, int pool, double min_count) {
    if (weight && weight->size() != codes.shape(1)) throw std::invalid_argument("categorical_test: one weight per row");
    std::vector<int> all = given;
    all.push_back(i);
    all.push_back(j);
    for (std::size_t a = 0; a < all.size(); ++a) {
        if (all[a] < 0 || all[a] >= static_cast<int>(codes.shape(0))) throw std::invalid_argument("categorical_test: unknown column");
        if (std::count(all.begin(), all.end(), all[a]) > 1) throw std::invalid_argument("categorical_test: columns must differ");
    }
    const Columns data(codes, cards, weight ? weight->data() : nullptr);
    nb::gil_scoped_release release;
    CategoricalWorker worker(data, rule_of(statistic, pool, min_count), 0.0);
    worker.begin(i, given);
    std::vector<std::size_t> set(given.size());
    for (std::size_t a = 0; a < set.size(); ++a) set[a] = a;
    worker.condition(set, 0);
    const Outcome out = worker.test(static_cast<std::size_t>(j));
    return {out.statistic, out.dof, out.p_value, out.reliable};
}

nb::dict categorical_skeleton(Matrix<const Code> codes, Vector<const std::int64_t> cards,
                              std::optional<Vector<const double>> weight, double alpha, int statistic,
                              int pool, double min_count, std::size_t max_level,
                              Matrix<const std::uint8_t> start, Matrix<const std::uint8_t> required,
                              Matrix<std::uint8_t> adjacency, Matrix<double> largest_p, int n_threads) {
    const std::size_t p = codes.shape(0);
    for (const std::size_t side : {start.shape(0), start.shape(1), required.shape(0), required.shape(1),
                                   adjacency.shape(0), adjacency.shape(1), largest_p.shape(0), largest_p.shape(1)})
        if (side != p) throw std::invalid_argument("categorical_skeleton: matrices of different shape");
    if (weight && weight->size() != codes.shape(1)) throw std::invalid_argument("categorical_skeleton: one weight per row");
    const Columns data(codes, cards, weight ? weight->data() : nullptr);
    const Rule rule = rule_of(statistic, pool, min_count);
    skeleton::Skeleton found;
    {
        nb::gil_scoped_release release;
        found = skeleton::search(p, start.data(), required.data(), max_level,
                                 [&] { return CategoricalWorker(data, rule, alpha); }, n_threads);
    }
    return skeleton::to_python(found, adjacency, largest_p);
}

// Weight of the rows in every cell over the chosen columns, the last fastest; unknown values are left out.
void contingency_counts(Matrix<const Code> codes, Vector<const std::int64_t> cards,
                        std::optional<Vector<const double>> weight, std::vector<int> columns,
                        Vector<double> out) {
    const std::size_t n = codes.shape(1);
    if (cards.size() != codes.shape(0) || (weight && weight->size() != n))
        throw std::invalid_argument("contingency_counts: arrays of different shape");
    double cells = 1.0;
    for (const int j : columns) {
        if (j < 0 || j >= static_cast<int>(codes.shape(0))) throw std::invalid_argument("contingency_counts: unknown column");
        cells *= static_cast<double>(cards.data()[j]);
    }
    if (cells != static_cast<double>(out.size())) throw std::invalid_argument("contingency_counts: out must have one entry per cell");
    const double *wp = weight ? weight->data() : nullptr;
    double *op = out.data();
    nb::gil_scoped_release release;
    std::fill(op, op + out.size(), 0.0);
    constexpr std::size_t BLOCK = 4096;
    std::vector<std::int64_t> key(BLOCK);
    for (std::size_t start = 0; start < n; start += BLOCK) {
        const std::size_t rows = std::min(BLOCK, n - start);
        std::fill(key.begin(), key.end(), 0);
        for (const int j : columns) {
            const Code *code = codes.data() + static_cast<std::size_t>(j) * n + start;
            const std::int64_t card = cards.data()[j];
            for (std::size_t r = 0; r < rows; ++r) key[r] = key[r] < 0 || code[r] >= card ? -1 : key[r] * card + code[r];
        }
        for (std::size_t r = 0; r < rows; ++r)
            if (key[r] >= 0) op[key[r]] += wp ? wp[start + r] : 1.0;
    }
}

}  // namespace

void bind_contingency(nb::module_ &m) {
    m.def("chi_squared_tail", &chi_squared_tail, nb::arg("x"), nb::arg("dof"));
    m.def("contingency_counts", &contingency_counts, nb::arg("codes").noconvert(), nb::arg("cards").noconvert(),
          nb::arg("weight").noconvert().none(), nb::arg("columns"), nb::arg("out").noconvert());
    m.def("categorical_test", &categorical_test, nb::arg("codes").noconvert(), nb::arg("cards").noconvert(),
          nb::arg("weight").noconvert().none(), nb::arg("i"), nb::arg("j"), nb::arg("given"),
          nb::arg("statistic"), nb::arg("pool"), nb::arg("min_count"));
    m.def("categorical_skeleton", &categorical_skeleton, nb::arg("codes").noconvert(), nb::arg("cards").noconvert(),
          nb::arg("weight").noconvert().none(), nb::arg("alpha"), nb::arg("statistic"), nb::arg("pool"),
          nb::arg("min_count"), nb::arg("max_level"), nb::arg("start").noconvert(),
          nb::arg("required").noconvert(), nb::arg("adjacency").noconvert(),
          nb::arg("largest_p").noconvert(), nb::arg("n_threads"));
}

}  // namespace margin
