// Binning: cuts at quantiles of a column, and the codes of all values between them.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include <nanobind/stl/vector.h>

#include "common/bind.hpp"
#include "common/native.hpp"
#include "common/team.hpp"
#include "trees/bindings.hpp"
#include "trees/binned/binned_table.hpp"

namespace margin {

namespace {

using trees::BinnedTable;

template <typename T>
using Table = nb::ndarray<const T, nb::ndim<2>, nb::device::cpu>;

struct Weighed {
    double value, weight;
};

// The bits of a number, ordered as the numbers are.
std::uint64_t key_of(double x) {
    const auto bits = std::bit_cast<std::uint64_t>(x + 0.0);  // -0.0 and 0.0 are one value
    return (bits >> 63) != 0 ? ~bits : bits | (1ULL << 63);
}

double number_of(std::uint64_t key) {
    return std::bit_cast<double>((key >> 63) != 0 ? key & ~(1ULL << 63) : ~key);
}

// Sorts by eleven bits at a time; digits that are the same in all keys cost one look.
void radix_sort(std::vector<std::uint64_t> &keys, std::vector<std::uint64_t> &spare) {
    constexpr int bits = 11, passes = 6;
    constexpr std::size_t radix = std::size_t{1} << bits;
    std::vector<std::size_t> counts(passes * radix);
    for (const std::uint64_t key : keys)
        for (int p = 0; p < passes; ++p) ++counts[p * radix + ((key >> (p * bits)) & (radix - 1))];
    spare.resize(keys.size());
    for (int p = 0; p < passes; ++p) {
        std::size_t *count = counts.data() + p * radix;
        const std::size_t digit = (keys[0] >> (p * bits)) & (radix - 1);
        if (count[digit] == keys.size()) continue;
        std::exclusive_scan(count, count + radix, count, std::size_t{0});
        for (const std::uint64_t key : keys)
            spare[count[(key >> (p * bits)) & (radix - 1)]++] = key;
        keys.swap(spare);
    }
}

// A number that separates two neighbours: low <= cut < high.
double between(double low, double high) {
    const double middle = 0.5 * low + 0.5 * high;
    return std::isfinite(middle) && low <= middle && middle < high ? middle : low;
}

// At most `most` - 1 cuts between `n` distinct values in rising order: all gaps if there are few of
// them, otherwise bins of equal weight, but for values that are heavier than a bin.
template <typename Value, typename Weight>
std::vector<double> cuts_of(Index n, Index most, const Value &value, const Weight &weight) {
    std::vector<double> cuts;
    if (n <= most) {
        for (Index i = 0; i + 1 < n; ++i) cuts.push_back(between(value(i), value(i + 1)));
        return cuts;
    }
    double left = 0.0;
    for (Index i = 0; i < n; ++i) left += weight(i);
    Index bins_left = most;
    double own = 0.0;
    for (Index i = 0; i + 1 < n && bins_left > 1; ++i) {
        own += weight(i);
        const double share = left / static_cast<double>(bins_left);
        // Close the bin when it is full, or when the next value would overfill it by more than
        // what it lacks.
        const double next = weight(i + 1);
        if (own >= share || own + next - share > share - own) {
            cuts.push_back(between(value(i), value(i + 1)));
            left -= own;
            own = 0.0;
            --bins_left;
        }
    }
    return cuts;
}

// Cuts of a column; missing values are left out. Sorted keys make room for the distinct ones, and
// the spare ones for how many rows have each.
template <typename T>
std::vector<double> column_cuts(const T *column, Index stride, std::span<const std::int64_t> rows,
                                Index most) {
    std::vector<std::uint64_t> keys, counts;
    keys.reserve(rows.size());
    for (const std::int64_t i : rows) {
        const double x = static_cast<double>(column[i * stride]);
        if (!std::isnan(x)) keys.push_back(key_of(x));
    }
    if (!keys.empty()) radix_sort(keys, counts);
    std::size_t n = 0;
    for (std::size_t i = 0; i < keys.size(); ++n) {
        std::size_t end = i + 1;
        while (end < keys.size() && keys[end] == keys[i]) ++end;
        keys[n] = keys[i];
        counts[n] = end - i;
        i = end;
    }
    return cuts_of(
        static_cast<Index>(n), most, [&](Index i) { return number_of(keys[i]); },
        [&](Index i) { return static_cast<double>(counts[i]); });
}

// The same for rows with weights.
template <typename T>
std::vector<double> weighed_cuts(const T *column, Index stride, std::span<const std::int64_t> rows,
                                 const double *weight, Index most) {
    std::vector<Weighed> every;
    for (const std::int64_t i : rows) {
        const double x = static_cast<double>(column[i * stride]);
        if (!std::isnan(x) && weight[i] > 0.0) every.push_back({x + 0.0, weight[i]});
    }
    std::stable_sort(every.begin(), every.end(),
                     [](const Weighed &a, const Weighed &b) { return a.value < b.value; });
    Index n = 0;
    for (const Weighed &one : every) {
        if (n > 0 && every[n - 1].value == one.value)
            every[n - 1].weight += one.weight;
        else
            every[n++] = one;
    }
    return cuts_of(
        n, most, [&](Index i) { return every[i].value; }, [&](Index i) { return every[i].weight; });
}

// Cuts of every column, each found by one thread; they follow one another in `cuts`.
template <typename T>
std::vector<std::vector<double>> quantile_cuts(Table<T> X, Vector<const std::int64_t> rows,
                                               std::optional<Vector<const double>> weight,
                                               Index max_bins, Vector<const bool> skip,
                                               int n_threads) {
    const Index n = X.shape(0), p = X.shape(1);
    if (max_bins < 2 || max_bins > BinnedTable::slots - 1 || static_cast<Index>(skip.size()) != p ||
        (weight && static_cast<Index>(weight->size()) != n))
        throw std::invalid_argument("quantile_cuts: between 2 and 255 bins, a flag per column");
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (rows.data()[i] < 0 || rows.data()[i] >= n)
            throw std::invalid_argument("quantile_cuts: no such row");
    std::vector<std::vector<double>> cuts(p);
    {
        nb::gil_scoped_release release;
        const std::span<const std::int64_t> chosen(rows.data(), rows.size());
        const double *w = weight ? weight->data() : nullptr;
        team::each(n_threads, 20.0 * static_cast<double>(rows.size() * p), p, [&](Index j) {
            if (skip.data()[j]) return;
            const T *column = X.data() + j * X.stride(1);
            cuts[j] = w == nullptr ? column_cuts(column, X.stride(0), chosen, max_bins)
                                   : weighed_cuts(column, X.stride(0), chosen, w, max_bins);
        });
    }
    return cuts;
}

// How the values of one column become codes.
struct Coding {
    std::span<const double> cuts;           // of a numeric column
    std::span<const std::uint8_t> of_code;  // of a categorical one: bin of each category
    std::uint8_t missing;
    bool categorical;

    std::uint8_t operator()(double x) const {
        if (categorical) {
            if (!(x >= 0.0 && x < static_cast<double>(of_code.size()))) return missing;
            return of_code[static_cast<std::size_t>(x)];
        }
        if (std::isnan(x)) return missing;
        return static_cast<std::uint8_t>(std::lower_bound(cuts.begin(), cuts.end(), x) -
                                         cuts.begin());
    }

    // The same for many numbers: searches of equal length without branches, side by side.
    template <typename T>
    bool encode(const T *from, Index stride, Index n, std::uint8_t *to) const {
        bool any_missing = false;
        if (categorical) {
            for (Index i = 0; i < n; ++i) {
                to[i] = (*this)(static_cast<double>(from[i * stride]));
                any_missing |= to[i] == missing;
            }
            return any_missing;
        }
        double padded[256];
        std::fill(std::copy(cuts.begin(), cuts.end(), padded), padded + 256,
                  std::numeric_limits<double>::infinity());
        constexpr Index lanes = 8;
        const Index top = std::bit_ceil(cuts.size() + 1) / 2;
        for (Index start = 0; start < n; start += lanes) {
            const Index width = std::min(lanes, n - start);
            double x[lanes] = {};
            Index at[lanes] = {};
            for (Index k = 0; k < width; ++k) x[k] = from[(start + k) * stride];
            for (Index half = top; half > 0; half /= 2)
                for (Index k = 0; k < lanes; ++k)
                    at[k] += padded[at[k] + half - 1] < x[k] ? half : 0;
            for (Index k = 0; k < width; ++k) {
                const bool absent = std::isnan(x[k]);
                to[start + k] = absent ? missing : static_cast<std::uint8_t>(at[k]);
                any_missing |= absent;
            }
        }
        return any_missing;
    }
};

template <typename T>
BinnedTable encode(Table<T> X, Vector<const std::int64_t> cut_offsets, Vector<const double> cuts,
                   Vector<const std::int64_t> code_offsets, Vector<const std::uint8_t> code_bins,
                   Vector<const std::int32_t> n_bins, Vector<const bool> categorical,
                   int n_threads) {
    const Index n = X.shape(0), p = X.shape(1);
    if (static_cast<Index>(cut_offsets.size()) != p + 1 ||
        static_cast<Index>(code_offsets.size()) != p + 1 ||
        static_cast<Index>(n_bins.size()) != p || static_cast<Index>(categorical.size()) != p)
        throw std::invalid_argument("encode: another number of columns than in the bins");
    std::vector<Coding> coding(p);
    BinnedTable table;
    for (Index j = 0; j < p; ++j) {
        const std::int64_t *c = cut_offsets.data() + j, *d = code_offsets.data() + j;
        coding[j] = {{cuts.data() + c[0], static_cast<std::size_t>(c[1] - c[0])},
                     {code_bins.data() + d[0], static_cast<std::size_t>(d[1] - d[0])},
                     static_cast<std::uint8_t>(n_bins.data()[j]),
                     categorical.data()[j]};
        if (n_bins.data()[j] < 0 || n_bins.data()[j] >= BinnedTable::slots ||
            static_cast<Index>(coding[j].cuts.size()) >= BinnedTable::slots)
            throw std::invalid_argument("encode: more than 255 bins");
    }
    table.n_bins.assign(n_bins.data(), n_bins.data() + p);
    table.categorical.assign(categorical.data(), categorical.data() + p);
    table.has_missing.assign(p, 0);
    nb::gil_scoped_release release;
    table.allocate(n, p);
    constexpr Index block = 1024;
    const Index blocks = (n + block - 1) / block;
    std::vector<std::uint8_t> missing(blocks * p);
    team::each(n_threads, 10.0 * static_cast<double>(n * p), blocks, [&](Index b) {
        const Index first = b * block, last = std::min(n, first + block);
        for (Index j = 0; j < p; ++j) {
            const T *from = X.data() + first * X.stride(0) + j * X.stride(1);
            missing[b * p + j] = coding[j].encode(from, X.stride(0), last - first,
                                                  table.columns.data() + j * n + first);
        }
        table.regroup(first, last);
    });
    for (Index b = 0; b < blocks; ++b)
        for (Index j = 0; j < p; ++j) table.has_missing[j] |= missing[b * p + j];
    return table;
}

// The table of codes that are known already, one row of `codes` per column.
BinnedTable table_of_codes(Matrix<const std::uint8_t> codes, Vector<const std::int32_t> n_bins,
                           Vector<const bool> categorical, int n_threads) {
    const Index p = codes.shape(0), n = codes.shape(1);
    if (static_cast<Index>(n_bins.size()) != p || static_cast<Index>(categorical.size()) != p)
        throw std::invalid_argument("table_of_codes: a number of bins and a flag per column");
    for (Index j = 0; j < p; ++j)
        if (n_bins.data()[j] < 0 || n_bins.data()[j] >= BinnedTable::slots)
            throw std::invalid_argument("table_of_codes: more than 255 bins");
    BinnedTable table;
    table.n_bins.assign(n_bins.data(), n_bins.data() + p);
    table.categorical.assign(categorical.data(), categorical.data() + p);
    table.has_missing.assign(p, 0);
    std::vector<std::uint8_t> largest(p, 0);
    {
        nb::gil_scoped_release release;
        table.allocate(n, p);
        const double work = 2.0 * static_cast<double>(n * p);
        team::each(n_threads, work, p, [&](Index j) {
            const std::uint8_t *from = codes.data() + j * n;
            std::uint8_t *to = table.columns.data() + j * n;
            for (Index i = 0; i < n; ++i) {
                to[i] = from[i];
                largest[j] = std::max(largest[j], from[i]);
            }
        });
        constexpr Index block = 1024;
        team::each(n_threads, work, (n + block - 1) / block,
                   [&](Index b) { table.regroup(b * block, std::min(n, (b + 1) * block)); });
    }
    for (Index j = 0; j < p; ++j) {
        if (largest[j] > table.n_bins[j])
            throw std::invalid_argument("table_of_codes: a code beyond the bins of its column");
        table.has_missing[j] = n > 0 && largest[j] == table.n_bins[j];
    }
    return table;
}

}  // namespace

void bind_tree_bins(nb::module_ &m) {
    nb::class_<BinnedTable>(m, "BinnedTable")
        .def_ro("n_rows", &BinnedTable::n_rows)
        .def_ro("n_features", &BinnedTable::n_features)
        .def(
            "copy_codes",
            [](const BinnedTable &table, Matrix<std::uint8_t> out) {
                if (static_cast<Index>(out.shape(0)) != table.n_features ||
                    static_cast<Index>(out.shape(1)) != table.n_rows)
                    throw std::invalid_argument("copy_codes: a row per column of the table");
                std::copy(table.columns.begin(), table.columns.end(), out.data());
            },
            fixed("out"));
    m.def("table_of_codes", &table_of_codes, fixed("codes"), fixed("n_bins"), fixed("categorical"),
          nb::arg("n_threads"));
    for_tables([&]<typename T>() {
        m.def("quantile_cuts", &quantile_cuts<T>, fixed("X"), fixed("rows"), maybe("weight"),
              nb::arg("max_bins"), fixed("skip"), nb::arg("n_threads"));
        m.def("encode_bins", &encode<T>, fixed("X"), fixed("cut_offsets"), fixed("cuts"),
              fixed("code_offsets"), fixed("code_bins"), fixed("n_bins"), fixed("categorical"),
              nb::arg("n_threads"));
    });
}

}  // namespace margin
