#include <fmt/format.h>

#include <filesystem>

#include "export/export_fmu.hpp"
#include "overrides.hpp"
#include "verbs.hpp"

namespace footfall::command {

int exportFmu(const ExportOptions& options) {
  const std::string path =
      options.output.empty() ? std::filesystem::path(options.scene).stem().string() + ".fmu" : options.output;
  const bool two = options.fmi_version == "2";
  fmu::exportFmu(options.scene, parseOverrides(options.overrides), two ? fmu::FmiVersion::v2 : fmu::FmiVersion::v3,
                 path);
  fmt::print("Wrote {} (FMI {}.0 for co-simulation, {:.1f} MB).\n", path, options.fmi_version,
             static_cast<double>(std::filesystem::file_size(path)) / 1e6);
  return kSuccess;
}

}  // namespace footfall::command
