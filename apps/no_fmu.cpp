// `footfall export fmu` in a build without it.
#include "missing_part.hpp"
#include "verbs.hpp"

namespace footfall::command {

int exportFmu(const ExportOptions&) { missingPart("export of FMUs", "zlib or the headers of FMI"); }

}  // namespace footfall::command
