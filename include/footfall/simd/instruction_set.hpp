#pragma once

namespace footfall {

/// What the kernels are compiled for; one is chosen when the program runs.
enum class InstructionSet { baseline, avx2, avx512 };

/// The widest that this processor has, or the one that the environment variable FOOTFALL_ISA names
/// (baseline, avx2, avx512); throws Error when that is unknown or the processor does not have it.
InstructionSet instructionSet();

/// "baseline", "avx2" or "avx512".
const char* nameOf(InstructionSet set);

}  // namespace footfall
