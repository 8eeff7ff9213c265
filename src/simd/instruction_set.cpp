#include "footfall/simd/instruction_set.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <string_view>

#include "footfall/base/error.hpp"

namespace footfall {
namespace {

constexpr std::array kAll = {InstructionSet::baseline, InstructionSet::avx2, InstructionSet::avx512};

/// The features of x86-64-v3 and v4 that the compiler uses in our kernels.
InstructionSet widestHere() {
#if defined(__x86_64__)
  const bool v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi") &&
                  __builtin_cpu_supports("bmi2");
  const bool v4 = v3 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                  __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
                  __builtin_cpu_supports("avx512vl");
  return v4 ? InstructionSet::avx512 : v3 ? InstructionSet::avx2 : InstructionSet::baseline;
#else
  return InstructionSet::baseline;
#endif
}

InstructionSet byName(std::string_view name) {
  for (const InstructionSet set : kAll)
    if (name == nameOf(set)) return set;
  throw Error("FOOTFALL_ISA", fmt::format("there is no instruction set '{}'", name), "use baseline, avx2 or avx512");
}

}  // namespace

const char* nameOf(InstructionSet set) {
  switch (set) {
    case InstructionSet::avx512:
      return "avx512";
    case InstructionSet::avx2:
      return "avx2";
    case InstructionSet::baseline:
      break;
  }
  return "baseline";
}

InstructionSet instructionSet() {
  const InstructionSet widest = widestHere();
  const char* wanted = std::getenv("FOOTFALL_ISA");
  if (wanted == nullptr || *wanted == '\0') return widest;
  const InstructionSet set = byName(wanted);
  if (set > widest)
    throw Error("FOOTFALL_ISA", fmt::format("this processor has no {}; its widest is {}", wanted, nameOf(widest)));
  return set;
}

}  // namespace footfall
