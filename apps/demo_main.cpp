// The demo alone, for those who see Footfall for the first time: `footfall demo` without the rest of the command.

#include <nlohmann/json.hpp>

#include "guard.hpp"
#include "studio/server/diagram_description.hpp"
#include "verbs.hpp"

namespace footfall::studio {

/// Instead of the one that draws diagrams: the blocks that they are made of are not part of this program.
nlohmann::json describeDiagram(const LogReader&, const Scene&, const Model&, const std::vector<Column>&) {
  return {{"problem", "the demo is built without blocks; `footfall view` has them"}};
}

}  // namespace footfall::studio

int main() {
  return footfall::command::guarded([] { return footfall::command::demo({}); });
}
