#pragma once

#include <string_view>
#include <vector>

namespace footfall::fmu {

#if defined(__x86_64__)
inline constexpr std::string_view kPlatformTuple = "x86_64-linux";
#elif defined(__aarch64__)
inline constexpr std::string_view kPlatformTuple = "aarch64-linux";
#elif defined(__riscv) && __riscv_xlen == 64
inline constexpr std::string_view kPlatformTuple = "riscv64-linux";
#else
#error "name this machine as FMI 3.0, section 2.5.1.4.1, names it"
#endif

/// Folders of binaries/ that may hold the library for this machine, in the order in which they are looked at; an
/// FMU of ours holds it in each. FMI 2 calls 64-bit x86 `linux64`, and since 2.0.5 all others as FMI 3 does; but most
/// tools on ARM know only `linux64` (FMPy, OpenModelica).
inline std::vector<std::string_view> platformFolders(int fmi_version) {
  if (fmi_version == 2 && kPlatformTuple == "x86_64-linux") return {"linux64"};
  if (fmi_version == 2) return {kPlatformTuple, "linux64"};
  return {kPlatformTuple};
}

}  // namespace footfall::fmu
