#include "chains/numbers.hpp"

#include <cstdlib>
#include <new>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace margin::chains {
namespace {

constexpr std::size_t huge = std::size_t(1) << 21;  // bytes of a large page

}  // namespace

// Large tables come in large pages: small ones would cost more time than what is done with them.
double *Numbers::hold(std::size_t size) {
    if (size <= size_) return data_.get();
    const std::size_t bytes = (size * sizeof(double) + huge - 1) / huge * huge;
    const bool large = bytes > 2 * huge;
    data_.reset();
    size_ = 0;
    void *room = large ? std::aligned_alloc(huge, bytes) : std::malloc(size * sizeof(double));
    if (!room) throw std::bad_alloc();
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    if (large) madvise(room, bytes, MADV_HUGEPAGE);  // advice: nothing is lost without
#endif
    data_.reset(static_cast<double *>(room));
    size_ = size;
    return data_.get();
}

void Numbers::Free::operator()(double *numbers) const { std::free(numbers); }

}  // namespace margin::chains
