// Files that mean no good. `./dev fuzz` looks for more of them; what it finds is kept in inputs/.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>

#include "footfall/base/error.hpp"
#include "fuzz/readers.hpp"
#include "tools/random_seed.hpp"
#include "tools/source_dir.hpp"

namespace footfall::fuzz {
namespace {

namespace fs = std::filesystem;

/// Reads, and takes an Error for an answer: whatever else is thrown ends the test.
void readOrRefuse(const Reader& reader, std::string_view bytes) {
  try {
    reader.read(bytes);
  } catch (const Error&) {
    // the answer that it may give
  }
}

class EveryReader : public testing::TestWithParam<const Reader*> {};

TEST_P(EveryReader, ReadsItsSeeds) {
  int number = 0;
  for (const std::string& seed : GetParam()->seeds()) {
    SCOPED_TRACE("seed " + std::to_string(number++));
    EXPECT_NO_THROW(GetParam()->read(seed));
  }
  EXPECT_GT(number, 0);
}

TEST_P(EveryReader, ReadsOrRefusesWhatWasFoundByFuzzing) {
  const fs::path folder = fs::path(sourceDir()) / "tests/fuzz/inputs" / GetParam()->name;
  if (!fs::exists(folder)) GTEST_SKIP() << "nothing was found in it yet";
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    SCOPED_TRACE(entry.path().filename());
    std::ifstream in(entry.path(), std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    EXPECT_NO_THROW(readOrRefuse(*GetParam(), bytes));
  }
}

TEST_P(EveryReader, ReadsOrRefusesFilesThatAreCutOffOrDamaged) {
  std::mt19937 random(randomSeed(7));
  for (const std::string& seed : GetParam()->seeds()) {
    std::uniform_int_distribution<std::size_t> place(0, seed.size() - 1);
    for (int trial = 0; trial < 30; ++trial) {
      EXPECT_NO_THROW(readOrRefuse(*GetParam(), seed.substr(0, place(random))));
      std::string damaged = seed;
      for (int k = 0; k < 3; ++k) damaged[place(random)] = static_cast<char>(random());
      EXPECT_NO_THROW(readOrRefuse(*GetParam(), damaged));
    }
  }
}

std::vector<const Reader*> allReaders() {
  std::vector<const Reader*> all;
  for (const Reader& reader : readers()) all.push_back(&reader);
  return all;
}

INSTANTIATE_TEST_SUITE_P(Hostile, EveryReader, testing::ValuesIn(allReaders()),
                         [](const auto& chosen) { return chosen.param->name; });

}  // namespace
}  // namespace footfall::fuzz
