#include <nlohmann/json.hpp>

#include "studio/server/diagram_description.hpp"

namespace footfall::studio {

/// For programs without blocks (the demo), instead of diagram_description.cpp.
nlohmann::json describeDiagram(const LogReader&, const Scene&, const Model&, const std::vector<Column>&) {
  return {{"problem", "the demo is built without blocks; `footfall view` has them"}};
}

}  // namespace footfall::studio
