// One pass over the entries of a clique: multiply sources, keep the product, sum it into outputs.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "common/native.hpp"
#include "common/team.hpp"
#include "junction/kernels.hpp"
#include "junction/memory.hpp"

namespace margin::junction {

// Entries from which a pass is made in chunks, with any number of threads: their sums are the
// answer.
constexpr Index worth_chunks = Index{1} << 20;
constexpr int most_chunks = 8;

// Calls f(block index, offsets of the maps) for blocks [from, to) of a domain.
template <typename F>
inline void walk(const Domain &domain, const std::vector<const Map *> &maps, Index from, Index to,
                 F &&f) {
    std::vector<Index> digit(domain.outer), offset(maps.size(), 0);
    Index rest = from;
    for (int a = domain.outer - 1; a >= 0; --a) {
        digit[a] = rest % domain.dims[a];
        rest /= domain.dims[a];
        for (std::size_t m = 0; m < maps.size(); ++m) offset[m] += digit[a] * maps[m]->outer[a];
    }
    for (Index b = from; b < to; ++b) {
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
    Index size;
};

// Multiplies the sources, or reads a stored product, and keeps the result where asked to.
struct Pass {
    const Domain &domain;
    const std::vector<Source> &sources;
    const double *shared = nullptr;  // one factor for all lanes, as the entries lie
    const double *stored = nullptr;
    double *keep = nullptr;
    const Map *ratio_map = nullptr;  // a last factor
    const double *ratio = nullptr;
};

template <int B>
struct Passes {
    const Memory<B> &memory;
    bool maximise;
    int threads;

    // Does what the pass says and sums into the outputs.
    void run(const Pass &pass, const std::vector<Output> &outputs) {
        const Domain &domain = pass.domain;
        if (domain.blocks == 1) {
            pass_once(pass, outputs);
            return;
        }
        Index wanted = 1;
        for (const Output &output : outputs) wanted += output.size;
        int chunks = 1;
        if (B == 1 && domain.size >= worth_chunks)
            chunks =
                static_cast<int>(std::clamp<Index>(domain.size / (2 * wanted), 2, most_chunks));
        chunks = static_cast<int>(std::min<Index>(chunks, domain.blocks));
        std::vector<double> partial((chunks - 1) * wanted, 0.0);
        std::vector<const Map *> maps;
        for (const Source &source : pass.sources) maps.push_back(&source.map);
        for (const Output &output : outputs) maps.push_back(output.map);
        if (pass.ratio_map) maps.push_back(pass.ratio_map);
        team::each(threads, 2.0 * double(domain.size), chunks, [&](Index chunk) {
            std::vector<Output> mine = outputs;
            double *at = chunk ? partial.data() + (chunk - 1) * wanted : nullptr;
            for (Output &output : mine)
                if (chunk) output.to = std::exchange(at, at + output.size);
            pass_blocks(pass, mine, maps, domain.blocks * chunk / chunks,
                        domain.blocks * (chunk + 1) / chunks);
        });
        const double *at = partial.data();
        for (int chunk = 1; chunk < chunks; ++chunk, ++at)
            for (const Output &output : outputs) {
                for (Index i = 0; i < output.size; ++i)
                    output.to[i] = maximise ? std::max(output.to[i], at[i]) : output.to[i] + at[i];
                at += output.size;
            }
    }

  private:
    // The same for a domain of a single block, which most are: no bookkeeping.
    void pass_once(const Pass &pass, const std::vector<Output> &outputs) {
        const auto &[domain, sources, shared, stored, keep, ratio_map, ratio] = pass;
        const Index n = domain.size;
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
            multiply(first, block, memory.pointer(source), source.map, n);
            first = false;
        }
        if (first) std::fill(block, block + n * B, 1.0);
        if (ratio) multiply(false, block, ratio, *ratio_map, n);
        for (const Output &output : outputs) gather(output.to, result, *output.map, n);
    }

    void pass_blocks(const Pass &pass, const std::vector<Output> &outputs,
                     const std::vector<const Map *> &maps, Index from, Index to) {
        const auto &[domain, sources, shared, stored, keep, ratio_map, ratio] = pass;
        const Index n = domain.block;
        alignas(64) double buffer[(B == 1 ? block_entries : batch_entries) * B];
        std::vector<const double *> data;
        for (const Source &source : sources) data.push_back(memory.pointer(source));
        walk(domain, maps, from, to, [&](Index b, const Index *at) {
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

    static void multiply(bool first, double *block, const double *source, const Map &map, Index n) {
        if constexpr (B == 1)
            (first ? set_row : multiply_row)(block, source, map, n);
        else
            (first ? set_lanes : multiply_lanes)(block, source, map, n);
    }

    void gather(double *out, const double *block, const Map &map, Index n) const {
        if constexpr (B == 1)
            (maximise ? max_row : add_row)(out, block, map, n);
        else
            (maximise ? max_lanes : add_lanes)(out, block, map, n);
    }
};

}  // namespace margin::junction
