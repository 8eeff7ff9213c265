// What libFuzzer calls: ./dev fuzz READER SECONDS

#include <fmt/format.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "footfall/base/error.hpp"
#include "fuzz/readers.hpp"

namespace {

using footfall::fuzz::Reader;

/// The environment names the reader: libFuzzer's own arguments are many. Without a name, says which ones there are.
const Reader& chosenReader() {
  if (const char* name = std::getenv("FOOTFALL_FUZZ_READER")) return footfall::fuzz::findReader(name);
  for (const Reader& known : footfall::fuzz::readers()) fmt::print("{}\n", known.name);
  std::exit(0);
}

void writeSeeds(const Reader& reader, const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  int number = 0;
  for (const std::string& seed : reader.seeds())
    std::ofstream(folder / fmt::format("seed_{}", number++), std::ios::binary) << seed;
}

const Reader* reader = nullptr;

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  try {
    reader = &chosenReader();
    if (const char* folder = std::getenv("FOOTFALL_FUZZ_SEEDS")) {
      writeSeeds(*reader, folder);
      std::exit(0);
    }
  } catch (const footfall::Error& error) {
    fmt::print(stderr, "error: {}\n", error.what());
    std::exit(2);
  }
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    reader->read({reinterpret_cast<const char*>(data), size});
  } catch (const footfall::Error&) {  // how bad input is answered
  }
  return 0;
}
