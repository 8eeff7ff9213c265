#include "footfall/simd/internal/arena.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <new>

#include "footfall/spatial/contact_layout.hpp"

namespace footfall::simd {
namespace {

bool atCacheLine(const void* p) { return reinterpret_cast<std::uintptr_t>(p) % 64 == 0; }

struct Pieces {
  double* numbers = nullptr;
  std::uint8_t* bytes = nullptr;
  int* integers = nullptr;

  void layOut(Arena& arena) {
    numbers = arena.take<double>(9);
    bytes = arena.take<std::uint8_t>(1);
    integers = arena.take<int>(16);
  }
};

TEST(Arena, CountsTheSameWithAndWithoutMemory) {
  Pieces pieces;
  Arena counted;
  pieces.layOut(counted);
  EXPECT_EQ(pieces.numbers, nullptr);
  EXPECT_EQ(counted.used(), 16u + 8u + 8u);  // whole cache lines of eight doubles

  AlignedVector memory(counted.used());
  Arena arena(memory.data(), memory.size());
  pieces.layOut(arena);
  EXPECT_EQ(arena.used(), counted.used());
}

TEST(Arena, PiecesBeginAtCacheLinesAndDoNotOverlap) {
  AlignedVector memory;
  Pieces pieces;
  layOutIn(memory, [&](Arena& arena) { pieces.layOut(arena); });
  ASSERT_EQ(memory.size(), 32u);
  for (const double x : memory) EXPECT_EQ(x, 0.0);
  EXPECT_TRUE(atCacheLine(pieces.numbers) && atCacheLine(pieces.bytes) && atCacheLine(pieces.integers));
  EXPECT_EQ(static_cast<void*>(pieces.numbers), memory.data());
  EXPECT_EQ(static_cast<void*>(pieces.bytes), memory.data() + 16);
  EXPECT_EQ(static_cast<void*>(pieces.integers), memory.data() + 24);
}

TEST(Arena, MoreThanThereIsIsRefusedBeforeAnybodyWritesThere) {
  AlignedVector memory(16);
  Arena arena(memory.data(), memory.size());
  EXPECT_NE(arena.take<double>(16), nullptr);
  EXPECT_THROW(arena.take<double>(1), std::bad_alloc);
}

}  // namespace
}  // namespace footfall::simd
