#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "footfall/block/diagram.hpp"
#include "footfall/block/registry.hpp"
#include "footfall/log/log_reader.hpp"
#include "footfall/scene/scene.hpp"
#include "studio/server/recording.hpp"

namespace footfall::studio {

/// By signal: the channels that hold its values.
using SignalNames = std::map<std::string, std::vector<std::string>>;

/// The diagram of a run as the page draws it: the drawing with its coordinates, the columns that hold the values of
/// each signal, and those that hold the time of each block.
/// @param registry with the kinds of its blocks
nlohmann::json describeDiagram(const Diagram& diagram, const BlockRegistry& registry, const SignalNames& signals,
                               const Model& model, const std::vector<Column>& columns);

/// The same for a log: the drawing that lies in it, or that of its scene if all blocks are built in: a log is data, and
/// whoever made it must not choose code (an FMU) that runs here. Signals that were not logged
/// have no columns.
nlohmann::json describeDiagram(const LogReader& log, const Scene& scene, const Model& model,
                               const std::vector<Column>& columns);

}  // namespace footfall::studio
