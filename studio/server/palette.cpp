#include "studio/server/palette.hpp"

#include <nlohmann/json.hpp>

#include "studio/server/outside_names.hpp"

namespace footfall::studio {
namespace {

using nlohmann::json;

json portsJson(const std::vector<PortDescription>& ports) {
  json out = json::array();
  for (const PortDescription& port : ports) out.push_back({{"name", port.name}, {"help", port.help}});
  return out;
}

}  // namespace

json paletteJson(const BlockRegistry& registry, bool allow_files) {
  json kinds = json::array();
  for (const BlockRegistry::Kind* kind : registry.kinds()) {
    if (!allow_files && !isForPages(*kind)) continue;
    const BlockDescription& about = kind->description;
    json parameters = json::array();
    for (const ParameterDescription& parameter : about.parameters)
      if (allow_files || isForPages(parameter))
        parameters.push_back({{"name", parameter.name},
                              {"help", parameter.help},
                              {"fallback", parameter.fallback},
                              {"unit", parameter.unit},
                              {"required", parameter.required}});
    kinds.push_back({{"name", about.name},
                     {"category", about.category},
                     {"summary", about.summary},
                     {"details", about.details},
                     {"parameters", std::move(parameters)},
                     {"inputs", portsJson(about.inputs)},
                     {"outputs", portsJson(about.outputs)}});
  }
  return kinds;
}

}  // namespace footfall::studio
