#include "footfall/block/named_file.hpp"

namespace footfall {

std::filesystem::path namedFile(const Parameters& parameters, const std::string& name) {
  const std::filesystem::path file = parameters.text(name);
  const std::string& where = parameters.value(name).where;  // "folder/diagram.yaml:12"
  const std::size_t line = where.rfind(':');
  if (file.is_absolute() || line == std::string::npos || where.starts_with("--set")) return file;
  return std::filesystem::path(where.substr(0, line)).parent_path() / file;
}

}  // namespace footfall
