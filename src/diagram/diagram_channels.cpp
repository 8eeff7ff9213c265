#include "footfall/diagram/diagram_channels.hpp"

#include <fmt/format.h>

#include "footfall/base/internal/json_text.hpp"

namespace footfall {
namespace {

std::string listOf(const std::vector<std::string>& texts) {
  std::string list;
  for (const std::string& text : texts) list += (list.empty() ? "" : ", ") + quoteJson(text);
  return "[" + list + "]";
}

std::string listsJson(const std::map<std::string, std::vector<std::string>>& lists) {
  std::string entries;
  for (const auto& [name, list] : lists)
    entries += fmt::format("{}{}: {}", entries.empty() ? "" : ", ", quoteJson(name), listOf(list));
  return "{" + entries + "}";
}

}  // namespace

DiagramDrawing drawForValues(const Diagram& diagram, const BlockRegistry& registry) {
  return drawDiagram(diagram, registry, "", "", {.line = 100.0, .block = 58.0, .fold_idle = true});
}

DiagramChannels::DiagramChannels(const DiagramSource& source, const Context& context, const BlockRegistry& registry)
    : SignalChannels(context, askedSignals(source.diagram, source.text.log)),
      drawing_(drawForValues(source.diagram, registry)),
      scopes_(scopeSignals(source.diagram)) {}

void DiagramChannels::addTo(Log& log) {
  SignalChannels::addTo(log);
  log.attach({kDiagramAttachment, "application/json",
              fmt::format("{{\"drawing\": {}, \"signals\": {}, \"scopes\": {}}}\n", toJson(drawing_),
                          listsJson(names()), listsJson(scopes_))});
}

}  // namespace footfall
