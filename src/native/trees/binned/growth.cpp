// Growing one tree: rows, search, division.
#include "trees/binned/growth.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <queue>
#include <utility>

#include "common/team.hpp"
#include "trees/binned/packing.hpp"

namespace margin::trees {

namespace {

constexpr Index pool_bytes = Index{512} << 20;
constexpr Index block = 8192;
constexpr Index piece = 16384;  // rows that are worth histograms of their own, or a thread

Index most_slots(Index n_features) {
    const Index size = n_features * BinnedTable::slots * static_cast<Index>(sizeof(Packed));
    return std::max<Index>(4, pool_bytes / std::max<Index>(size, 1));
}

}  // namespace

Grower::Grower(const BinnedTable &table, Rules rules)
    : table_(table), rules_(std::move(rules)),
      pool_(table.n_features * BinnedTable::slots, most_slots(table.n_features)) {}

// Rows in order, their packed slopes, and the root.
void Grower::start(const Slopes &slopes, const std::uint32_t *rows, Index n, int n_threads) {
    order_.resize(n);
    const Index blocks = (n + block - 1) / block;
    constant_ = slopes.h == nullptr;
    std::vector<Sizes> sizes(blocks);
    const double work = 8.0 * static_cast<double>(n);
    // Slopes of a block of rows, one after another.
    const auto gathered = [&](Index b, const auto &body) {
        const Index from = b * block, m = std::min(n, from + block) - from;
        const float *g = slopes.g + from, *h = constant_ ? nullptr : slopes.h + from;
        std::array<float, block> own_g, own_h;
        if (rows != nullptr) {
            for (Index i = 0; i < m; ++i) own_g[i] = slopes.g[rows[from + i]];
            if (!constant_)
                for (Index i = 0; i < m; ++i) own_h[i] = slopes.h[rows[from + i]];
            g = own_g.data();
            h = constant_ ? nullptr : own_h.data();
        }
        body(from, m, g, h);
    };
    team::each(n_threads, work, blocks, [&](Index b) {
        gathered(b, [&](Index from, Index m, const float *g, const float *h) {
            std::uint32_t *to = order_.rows.data() + from;
            if (rows != nullptr)
                std::copy(rows + from, rows + from + m, to);
            else
                std::iota(to, to + m, static_cast<std::uint32_t>(from));
            add_slopes(g, m, sizes[b]);
            if (h != nullptr) add_curvatures(h, m, sizes[b]);
        });
    });
    Sizes all;
    for (const Sizes &part : sizes) {
        all.slopes += part.slopes;
        all.curvatures += part.curvatures;
        all.whole &= part.whole;
    }
    // Curvatures that are counts keep the unit 1.
    const bool counts = all.whole && all.curvatures < 1e9;
    units_ = Units::of(all.slopes, all.curvatures, constant_ || counts);
    std::vector<Packed> sums(blocks);
    team::each(n_threads, work, blocks, [&](Index b) {
        gathered(b, [&](Index from, Index m, const float *g, const float *h) {
            sums[b] = pack_rows(g, h, m, units_, order_.packed.data() + from);
        });
    });
    Node root{};
    root.first = 0;
    root.last = n;
    root.total = std::accumulate(sums.begin(), sums.end(), Packed{0});
    root.lower = -std::numeric_limits<double>::infinity();
    root.upper = std::numeric_limits<double>::infinity();
    root.sets.resize(rules_.interaction.size());
    std::iota(root.sets.begin(), root.sets.end(), 0);
    nodes_.clear();
    nodes_.push_back(std::move(root));
}

// Histograms of the numbers of rows beside those of the slopes, or none.
void Grower::count_rows(bool counted) {
    if (counted) ones_.assign(order_.rows.size(), 1);
    if (counted == counted_) return;
    counted_ = counted;
    const Index features = table_.n_features * (counted ? 2 : 1);
    pool_ = HistogramPool(features * BinnedTable::slots, most_slots(features));
}

bool Grower::may_split(const Node &node) const {
    if (node.size() < std::max(2 * rules_.min_rows, rules_.min_split)) return false;
    if (rules_.max_depth > 0 && node.depth >= rules_.max_depth) return false;
    return units_.h(node.total) >= 2.0 * rules_.min_curvature;
}

void Grower::search_column(Node &node, Index j, const Packed *histogram, const Packed *counts,
                           Candidate &best) const {
    const double h = units_.h(node.total);
    const double per_row = h / static_cast<double>(node.size());
    // Where rows are not counted, their number is estimated from the curvature; a split that turns
    // out to leave too few is searched again with counts.
    const bool counted = counts != nullptr || rules_.min_rows == 1;
    const double rows = counted ? 0.0 : per_row * static_cast<double>(rules_.min_rows);
    NodeLimits limits;
    limits.units = units_;
    limits.l2 = rules_.l2;
    limits.least_curvature =
        std::max({rules_.min_curvature, rows, 0.5 * units_.curvature}) * (1.0 - 1e-12);
    limits.lower = node.lower;
    limits.upper = node.upper;
    limits.smoothing = rules_.cat_smooth * per_row;
    limits.cat_l2 = rules_.cat_l2 * per_row;
    SplitSearch search(limits, node.total);
    if (table_.categorical[j])
        search.categorical(histogram, counts, rules_.min_rows, table_.n_bins[j], j, best);
    else
        search.numeric(histogram, counts, rules_.min_rows, table_.n_bins[j],
                       table_.has_missing[j] != 0, rules_.monotone.empty() ? 0 : rules_.monotone[j],
                       j, best);
}

// Histograms of a group of columns over some rows of the order, in the place of the group.
void Grower::build(Index g, Index first, Index last, Packed *histograms) const {
    const Index width = table_.group_width(g), entries = width * BinnedTable::slots;
    Packed *to = histograms + table_.group_start(g) * BinnedTable::slots;
    const Accumulate accumulate = accumulate_of_width(width);
    for (int part = 0; part < 1 + counted_; ++part) {
        const Packed *each = part == 0 ? order_.packed.data() + first : ones_.data();
        std::fill(to, to + entries, Packed{0});
        accumulate(table_.group(g), order_.rows.data() + first, each, last - first, to);
        to += table_.n_features * BinnedTable::slots;
    }
}

// Adds the histograms of a group of columns to others, or takes them from these.
void Grower::combine(Index g, const Packed *more, Packed *histograms, bool add) const {
    const Index entries = table_.group_width(g) * BinnedTable::slots;
    Index offset = table_.group_start(g) * BinnedTable::slots;
    for (int part = 0; part < 1 + counted_; ++part) {
        const Packed *from = more + offset;
        Packed *to = histograms + offset;
        if (add)
            for (Index k = 0; k < entries; ++k) to[k] += from[k];
        else
            for (Index k = 0; k < entries; ++k) to[k] -= from[k];
        offset += table_.n_features * BinnedTable::slots;
    }
}

// Histograms of nodes, by groups of columns and, where there are more threads than groups, by parts
// of the rows: sums are exact, so they are the same for any parts.
Index Grower::build_parts(const std::vector<Index> &nodes, int n_threads) {
    const Index groups = table_.n_groups();
    Index rows = 0;
    for (const Index at : nodes) rows = std::max(rows, nodes_[at].size());
    const Index parts = std::min<Index>((n_threads + groups - 1) / groups, 1 + rows / piece);
    if (parts < 2) return 1;
    const auto kinds = static_cast<Index>(nodes.size());
    while (static_cast<Index>(spare_.size()) < kinds * parts) spare_.push_back(pool_.take());
    const double work = 32.0 * static_cast<double>(table_.n_features * rows * kinds);
    team::each(n_threads, work, groups * parts * kinds, [&](Index i) {
        const Index g = i % groups, q = i / groups % parts, k = i / groups / parts;
        const Node &node = nodes_[nodes[k]];
        build(g, node.first + node.size() * q / parts, node.first + node.size() * (q + 1) / parts,
              pool_.at(q == 0 ? node.slot : spare_[k * parts + q]));
    });
    return parts;
}

void Grower::search_group(Index g, Index small, Index large, bool subtract, Index parts) {
    const Index start = table_.group_start(g), width = table_.group_width(g);
    const Index all = table_.n_features * BinnedTable::slots;
    const auto complete = [&](const Node &node, Index k) {
        if (parts == 1) build(g, node.first, node.last, pool_.at(node.slot));
        for (Index q = 1; q < parts; ++q)
            combine(g, pool_.at(spare_[k * parts + q]), pool_.at(node.slot), true);
    };
    complete(nodes_[small], 0);
    if (large >= 0 && !subtract) complete(nodes_[large], 1);
    if (large >= 0 && subtract)
        combine(g, pool_.at(nodes_[small].slot), pool_.at(nodes_[large].slot), false);
    for (int side = 0; side < 2; ++side) {
        const Index at = side == 0 ? small : large;
        if (at < 0 || !may_split(nodes_[at])) continue;
        Candidate &best = found_[2 * g + side];
        for (Index j = start; j < start + width; ++j) {
            if (!allowed_[side][j]) continue;
            const Packed *sums = pool_.at(nodes_[at].slot) + j * BinnedTable::slots;
            search_column(nodes_[at], j, sums, counted_ ? sums + all : nullptr, best);
        }
    }
}

// Histograms and best splits of two siblings, or of the root alone (`sibling` = -1). The smaller is
// counted; the larger is the parent, whose histograms it takes over, less the smaller.
void Grower::search(Index node, Index sibling, std::int32_t parent_slot, int n_threads) {
    Index small = node, large = sibling;
    if (large >= 0 && nodes_[large].size() < nodes_[small].size()) std::swap(small, large);
    const bool wanted_small = may_split(nodes_[small]);
    const bool wanted_large = large >= 0 && may_split(nodes_[large]);
    if (!wanted_small && !wanted_large) {
        pool_.give(parent_slot);
        return;
    }
    bool subtract = parent_slot >= 0;
    if (!wanted_large) {
        pool_.give(parent_slot);
        subtract = false;
        large = -1;
    } else if (!subtract && !wanted_small) {
        small = std::exchange(large, -1);
    }
    AllowedColumns chooser(rules_, table_.n_features);
    for (int side = 0; side < 2; ++side) {
        const Index at = side == 0 ? small : large;
        if (at < 0) continue;
        chooser.mark(columns_, nodes_[at].sets, seed_, at, allowed_[side]);
    }
    nodes_[small].slot = pool_.take();
    if (large >= 0) nodes_[large].slot = subtract ? parent_slot : pool_.take();
    const Index groups = table_.n_groups();
    found_.assign(2 * groups, Candidate{});
    const double rows = static_cast<double>(nodes_[small].size()) +
                        (large >= 0 && !subtract ? static_cast<double>(nodes_[large].size()) : 0.0);
    const double work =
        static_cast<double>(table_.n_features) * (2.0 * rows + 8.0 * BinnedTable::slots);
    std::vector<Index> built{small};
    if (large >= 0 && !subtract) built.push_back(large);
    const Index parts = build_parts(built, n_threads);
    team::each(n_threads, 16.0 * work, groups,
               [&](Index g) { search_group(g, small, large, subtract, parts); });
    for (int side = 0; side < 2; ++side) {
        const Index at = side == 0 ? small : large;
        if (at < 0) continue;
        for (Index g = 0; g < groups; ++g)
            if (found_[2 * g + side].better_than(nodes_[at].split))
                nodes_[at].split = found_[2 * g + side];
    }
    for (const Index at : {small, large}) {
        if (at < 0) continue;
        // A few heavy rows can make every side seem too small.
        const bool estimated = !counted_ && !constant_ && rules_.min_rows > 1;
        if (estimated && nodes_[at].split.feature < 0 && may_split(nodes_[at]))
            count_again(at, n_threads);
        if (!may_split(nodes_[at]) || nodes_[at].split.feature < 0 || pool_.crowded()) {
            pool_.give(nodes_[at].slot);
            nodes_[at].slot = -1;
        }
    }
}

// The search of one node with exact numbers of rows: after a split that left too few.
void Grower::count_again(Index at, int n_threads) {
    Node &node = nodes_[at];
    node.exact_rows = true;
    node.split = Candidate{};
    AllowedColumns chooser(rules_, table_.n_features);
    chooser.mark(columns_, node.sets, seed_, at, allowed_[0]);
    const std::vector<Packed> ones(node.size(), 1);
    const Index groups = table_.n_groups();
    found_.assign(groups, Candidate{});
    const double work = 64.0 * static_cast<double>(node.size() * table_.n_features);
    team::each(n_threads, work, groups, [&](Index g) {
        const Index start = table_.group_start(g), width = table_.group_width(g);
        const Accumulate accumulate = accumulate_of_width(width);
        std::vector<Packed> counts(width * BinnedTable::slots), sums(counts);
        const std::uint32_t *rows = order_.rows.data() + node.first;
        accumulate(table_.group(g), rows, ones.data(), node.size(), counts.data());
        accumulate(table_.group(g), rows, order_.packed.data() + node.first, node.size(),
                   sums.data());
        for (Index k = 0; k < width; ++k)
            if (allowed_[0][start + k])
                search_column(node, start + k, sums.data() + k * BinnedTable::slots,
                              counts.data() + k * BinnedTable::slots, found_[g]);
    });
    for (const Candidate &candidate : found_)
        if (candidate.better_than(node.split)) node.split = candidate;
    if (node.split.feature < 0) {
        pool_.give(node.slot);
        node.slot = -1;
    }
}

// `left_sum`: what the rows before `middle` sum to.
void Grower::add_children(Index at, Index middle, Packed left_sum) {
    const Candidate split = nodes_[at].split;
    Node left{}, right{};
    for (Node *child : {&left, &right}) {
        child->depth = nodes_[at].depth + 1;
        child->lower = nodes_[at].lower;
        child->upper = nodes_[at].upper;
        for (const std::int32_t s : nodes_[at].sets) {
            const auto &set = rules_.interaction[s];
            if (std::find(set.begin(), set.end(), split.feature) != set.end())
                child->sets.push_back(s);
        }
    }
    left.first = nodes_[at].first;
    left.last = right.first = middle;
    right.last = nodes_[at].last;
    left.total = left_sum;
    right.total = nodes_[at].total - left.total;
    const int monotone = rules_.monotone.empty() ? 0 : rules_.monotone[split.feature];
    if (monotone != 0) {
        // Neither side may pass the middle of the two values: no descendant can then.
        NodeLimits limits;
        limits.l2 = rules_.l2;
        limits.lower = left.lower;
        limits.upper = left.upper;
        const double middle_value =
            0.5 * (limits.clipped(units_.g(left.total), units_.h(left.total)) +
                   limits.clipped(units_.g(right.total), units_.h(right.total)));
        (monotone > 0 ? left.upper : left.lower) = middle_value;
        (monotone > 0 ? right.lower : right.upper) = middle_value;
    }
    nodes_[at].left = static_cast<std::int32_t>(nodes_.size());
    nodes_[at].right = nodes_[at].left + 1;
    nodes_.push_back(std::move(left));
    nodes_.push_back(std::move(right));
}

// Divides the rows of a node by its split; false if that leaves a side with too few rows.
bool Grower::divide(Index at, int n_threads) {
    Candidate &split = nodes_[at].split;
    const Index n_bins = table_.n_bins[split.feature];
    std::array<std::uint8_t, BinnedTable::slots> goes_left{};
    for (Index b = 0; b <= n_bins; ++b) {
        if (split.bin < 0)
            goes_left[b] = (split.left_bins[b >> 5] >> (b & 31)) & 1U;
        else
            goes_left[b] = b == n_bins ? split.missing_left : b <= split.bin;
    }
    const Index first = nodes_[at].first, last = nodes_[at].last;
    const auto [middle, left_sum] =
        order_.divide(first, last, table_.column(split.feature), goes_left.data(), n_threads);
    const Index lefts = middle - first, rights = last - middle;
    if (std::min(lefts, rights) < std::max<Index>(1, rules_.min_rows)) return false;
    if (!split.missing_seen) {
        split.missing_left = lefts > rights;
        // Categories nobody has seen here go with the larger part as well.
        if (split.bin < 0 && split.missing_left)
            split.left_bins[n_bins >> 5] |= 1U << (n_bins & 31);
    }
    add_children(at, middle, left_sum);
    return true;
}

void Grower::grow(const Slopes &slopes, const std::uint32_t *rows, Index n, const double *weight,
                  const std::vector<std::uint8_t> &columns, std::uint64_t seed, std::int32_t output,
                  int n_threads, GrownForest &forest) {
    columns_ = columns;
    seed_ = seed;
    start(slopes, rows, n, n_threads);
    // What a row weighs says how many rows there are only where all weigh the same.
    const auto uneven = [&] {
        for (Index i = 1; i < n; ++i)
            if (weight[order_.rows[i]] != weight[order_.rows[0]]) return true;
        return false;
    };
    count_rows(rules_.min_rows > 1 && !constant_ && weight != nullptr && uneven());
    // The node of the largest gain comes first, or the oldest one; among equals the older.
    std::priority_queue<std::pair<double, Index>> open;
    const auto offer = [&](Index at) {
        if (nodes_[at].split.feature >= 0 && nodes_[at].split.gain > rules_.min_gain)
            open.emplace(rules_.level_by_level ? 0.0 : nodes_[at].split.gain, -at);
        else if (nodes_[at].slot >= 0)
            pool_.give(std::exchange(nodes_[at].slot, -1));
    };
    if (rules_.max_leaves != 1) {
        search(0, -1, -1, n_threads);
        offer(0);
    }
    for (Index leaves = 1;
         !open.empty() && (rules_.max_leaves == 0 || leaves < rules_.max_leaves);) {
        const Index at = -open.top().second;
        open.pop();
        if (!divide(at, n_threads)) {
            count_again(at, n_threads);
            offer(at);
            continue;
        }
        ++leaves;
        const std::int32_t slot = std::exchange(nodes_[at].slot, -1);
        const Index left = nodes_[at].left, right = nodes_[at].right;
        if (leaves == rules_.max_leaves) {
            pool_.give(slot);
            break;
        }
        search(left, right, slot, n_threads);
        offer(left);
        offer(right);
    }
    for (Node &node : nodes_)
        if (node.slot >= 0) pool_.give(std::exchange(node.slot, -1));
    for (const std::int32_t slot : spare_) pool_.give(slot);
    spare_.clear();
    finish(slopes, weight, output, n_threads, forest);
}

// Values from the slopes themselves, not from their rounded sums.
void Grower::finish(const Slopes &slopes, const double *weight, std::int32_t output, int n_threads,
                    GrownForest &forest) {
    leaves_.clear();
    const Index count = static_cast<Index>(nodes_.size());
    for (Index at = 0; at < count; ++at)
        if (nodes_[at].left < 0) leaves_.push_back({at, nodes_[at].first, nodes_[at].last});
    pieces_.clear();
    for (const Leaf &leaf : leaves_)
        for (Index first = leaf.first; first < leaf.last; first += piece)
            pieces_.push_back({leaf.node, first, std::min(leaf.last, first + piece)});
    std::vector<double> g(count), h(count), cover(count);
    std::vector<std::array<double, 3>> sums(pieces_.size());
    const double work = 4.0 * static_cast<double>(order_.rows.size());
    team::each(n_threads, work, static_cast<Index>(pieces_.size()), [&](Index k) {
        const Leaf &part = pieces_[k];
        double sum_g = 0.0, sum_h = 0.0, sum_w = 0.0;
        for (Index i = part.first; i < part.last; ++i) {
            const Index row = order_.rows[i];
            sum_g += slopes.g[row];
            if (!constant_) sum_h += slopes.h[row];
            if (weight != nullptr) sum_w += weight[row];
        }
        const auto rows = static_cast<double>(part.last - part.first);
        sums[k] = {sum_g, constant_ ? rows : sum_h, weight != nullptr ? sum_w : rows};
    });
    for (std::size_t k = 0; k < pieces_.size(); ++k) {
        g[pieces_[k].node] += sums[k][0];
        h[pieces_[k].node] += sums[k][1];
        cover[pieces_[k].node] += sums[k][2];
    }
    for (Index at = count - 1; at >= 0; --at) {
        if (nodes_[at].left < 0) continue;
        for (std::vector<double> *of : {&g, &h, &cover})
            (*of)[at] = (*of)[nodes_[at].left] + (*of)[nodes_[at].right];
    }
    for (Index at = 0; at < count; ++at) {
        const Node &node = nodes_[at];
        GrownNode out;
        if (node.left >= 0) {
            out.feature = static_cast<std::int32_t>(node.split.feature);
            out.bin = node.split.bin;
            out.left = node.left;
            out.right = node.right;
            out.missing_left = node.split.missing_left;
            out.gain = node.split.gain;
            if (node.split.bin < 0) {
                out.set = static_cast<std::int32_t>(forest.sets.size());
                forest.sets.push_back(node.split.left_bins);
            }
        }
        const double curvature = h[at] + rules_.l2;
        out.value = curvature > 0.0 ? std::clamp(-g[at] / curvature, node.lower, node.upper) : 0.0;
        out.cover = cover[at];
        out.n_rows = node.last - node.first;
        forest.nodes.push_back(out);
    }
    forest.offsets.push_back(static_cast<std::int64_t>(forest.nodes.size()));
    forest.output.push_back(output);
}

}  // namespace margin::trees
