#pragma once

#include "footfall/block_io/diagram_drawing.hpp"
#include "footfall/diagram/diagram_source.hpp"
#include "footfall/diagram/signal_channels.hpp"

namespace footfall {

/// What a log of a robot in a diagram holds beside the robot: the signals that the file asks for and those that its
/// scopes see, and a drawing of the diagram for those who look at the log: an attachment `diagram.json`, {"drawing": …,
/// "signals": {name: [channel, …]}, "scopes": {path: [name, …]}}.
class DiagramChannels : public SignalChannels {
 public:
  DiagramChannels(const DiagramSource& source, const Context& context, const BlockRegistry& registry);
  void addTo(Log& log) override;

 private:
  DiagramDrawing drawing_;
  std::map<std::string, std::vector<std::string>> scopes_;
};

inline constexpr const char* kDiagramAttachment = "diagram.json";

/// A drawing with room for the values of its signals and the times of its blocks.
DiagramDrawing drawForValues(const Diagram& diagram, const BlockRegistry& registry);

}  // namespace footfall
