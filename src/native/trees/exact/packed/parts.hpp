// Which nodes are grown to their end by themselves, on rows of their own.
#pragma once

#include <type_traits>

#include "trees/exact/coded/grower.hpp"
#include "trees/exact/grower.hpp"
#include "trees/exact/packed/search.hpp"

namespace margin::trees::exact {

// Copying a row costs a step per block of its columns, looking at it a step per column drawn.
constexpr Index most_columns_per_draw = 32;

// Whether small nodes are grown by themselves: numbers, nothing that a path has to remember.
inline bool packs(const Columns &columns, const GrowthSettings &settings) {
    return settings.random_splits && settings.max_leaf_nodes == 0 && !columns.codes &&
           settings.directions.empty() && settings.groups.empty() &&
           columns.n_columns <= most_columns_per_draw * settings.max_features &&
           !std::count(columns.categorical, columns.categorical + columns.n_columns, 1);
}

// The same for best splits between bins, where the loss is squared.
inline bool packs_codes(const GrowthSettings &settings) {
    return settings.binned && settings.max_leaf_nodes == 0 && settings.directions.empty() &&
           settings.groups.empty();
}

// Grows the nodes that are small enough, if they have one output and nothing is missing, and
// leaves the others.
template <typename C>
auto Grower<C>::without_parts(Places places) -> Places {
    if constexpr (std::is_same_v<C, MomentCriterion<Squared>>) {
        if (packs_codes(settings_) && !light_.empty()) {
            grow_coded(places);
            std::erase_if(places, [&](Index i) { return nodes_[i].part >= 0; });
            return places;
        }
    }
    if constexpr (C::additive) {
        const bool plain = packs(columns_, settings_) && !light_.empty();
        if (!plain) return places;
        if (columns_.single)
            grow_parts<float>(places);
        else
            grow_parts<double>(places);
        std::erase_if(places, [&](Index i) { return nodes_[i].part >= 0; });
    }
    return places;
}

template <typename C>
void Grower<C>::grow_coded(const Places &places) {
    if constexpr (std::is_same_v<C, MomentCriterion<Squared>>) {
        const Index row_bytes = CodedGrower::stride_of(columns_.n_columns);
        std::unique_ptr<CodedGrower> coded;
        for (const Index i : places) {
            GrowingNode &node = nodes_[i];
            if (node.size() > settings_.packed_bytes / row_bytes || interrupt_.poll()) continue;
            if (!coded)
                coded = std::make_unique<CodedGrower>(columns_, targets_, settings_, root_weight_,
                                                      packed_, interrupt_);
            if (!coded->load(lists_[0] + node.start, light_.data() + node.start, node.size()))
                continue;
            node.part = static_cast<Index>(parts_.size());
            parts_.push_back(coded->grow({node.key, node.depth, node.summary, total(i), value(i)}));
        }
    }
}

template <typename C>
template <typename T>
void Grower<C>::grow_parts(const Places &places) {
    const Index row_bytes = packed_stride<T>(columns_.n_columns) * static_cast<Index>(sizeof(T));
    const bool scattered = table_.complete && settings_.packed_bytes > 0 &&
                           columns_.n_columns >= 2 * settings_.max_features;
    const Index most = scattered ? n_ : settings_.packed_bytes / row_bytes;
    std::unique_ptr<PackedGrower<C, T>> packed;
    for (const Index i : places) {
        GrowingNode &node = nodes_[i];
        if (node.size() > most || interrupt_.poll()) continue;
        if (!packed)
            packed = std::make_unique<PackedGrower<C, T>>(
                columns_, targets_, settings_, root_weight_, table_, packed_, interrupt_);
        if (!packed->load(lists_[0] + node.start, light_.data() + node.start, node.size()))
            continue;
        node.part = static_cast<Index>(parts_.size());
        parts_.push_back(packed->grow({node.key, node.depth, node.summary, total(i), value(i)}));
    }
}

}  // namespace margin::trees::exact
