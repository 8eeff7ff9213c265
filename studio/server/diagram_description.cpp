#include "studio/server/diagram_description.hpp"

#include <nlohmann/json.hpp>

#include "footfall/base/error.hpp"
#include "footfall/diagram/all_blocks.hpp"
#include "footfall/diagram/diagram_channels.hpp"
#include "studio/server/column_finder.hpp"

namespace footfall::studio {
namespace {

using nlohmann::json;

/// Columns of a channel: "com.position.0" …, or "residual" itself.
void appendColumns(const std::string& channel, const std::vector<Column>& columns, json& numbers) {
  const std::string start = channel + ".";
  for (std::size_t i = 0; i < columns.size(); ++i)
    if (columns[i].name == channel || columns[i].name.rfind(start, 0) == 0) numbers.push_back(i);
}

json columnsOfSignals(const SignalNames& signals, const std::vector<Column>& columns) {
  json out = json::object();
  for (const auto& [signal, channels] : signals) {
    json& numbers = out[signal]["columns"] = json::array();
    for (const std::string& channel : channels) appendColumns(channel, columns, numbers);
  }
  return out;
}

json timesOfBlocks(const json& drawing, const std::vector<Column>& columns) {
  const ColumnFinder finder(columns);
  json times = json::object();
  for (const json& block : drawing["blocks"]) {
    const std::string path = block["path"];
    if (const int column = finder.find("block." + path); column >= 0) times[path] = column;
  }
  return times;
}

json put(json drawing, json signals, json scopes, const std::vector<Column>& columns) {
  json times = timesOfBlocks(drawing, columns);
  return {{"drawing", std::move(drawing)},
          {"signals", std::move(signals)},
          {"scopes", std::move(scopes)},
          {"times", std::move(times)}};
}

/// What a log without a drawing calls the signals of its scene's diagram; see SignalChannels.
SignalNames guessedNames(const std::vector<std::string>& logged, const std::vector<Column>& columns) {
  SignalNames names;
  for (const std::string& signal : logged) {
    json with_prefix = json::array();
    appendColumns("diagram." + signal, columns, with_prefix);
    names[signal] = {with_prefix.empty() ? signal : "diagram." + signal};
  }
  return names;
}

/// The robot's own signals that are part of every log.
void addState(const json& drawing, const Model& model, const std::vector<Column>& columns, json& signals) {
  const ColumnFinder finder(columns);
  for (const json& block : drawing["blocks"]) {
    if (block["kind"] != "Robot") continue;
    const std::string path = block["path"];
    signals[path + ".q"]["columns"] = finder.configuration(model);
    std::vector<int> nu = finder.velocity(model);
    nu.erase(nu.begin(), nu.end() - model.nv());  // a base that is fixed has no velocity
    signals[path + ".nu"]["columns"] = nu;
  }
}

}  // namespace

json describeDiagram(const Diagram& diagram, const BlockRegistry& registry, const SignalNames& signals,
                     const Model& model, const std::vector<Column>& columns) {
  json described = columnsOfSignals(signals, columns);
  for (const Diagram::Line& line : diagram.lines()) {
    const SignalType& whole = line.source_block < 0 ? diagram.inputs()[static_cast<std::size_t>(line.source_port)].type
                                                    : diagram.blocks()[static_cast<std::size_t>(line.source_block)]
                                                          .interface.outputs[static_cast<std::size_t>(line.source_port)]
                                                          .type;
    const SignalType type = findField(whole, line.field).type;
    json& signal = described[diagram.signalOf(line)];
    signal["type"] = type.describe();
    if (type.kind != SignalType::Kind::function) signal["numbers"] = type.size();
  }
  json drawing = json::parse(toJson(drawForValues(diagram, registry)));
  addState(drawing, model, columns, described);
  return put(std::move(drawing), std::move(described), scopeSignals(diagram), columns);
}

json describeDiagram(const LogReader& log, const Scene& scene, const Model& model, const std::vector<Column>& columns) {
  try {
    if (!log.hasAttachment(kDiagramAttachment)) {
      const BlockRegistry registry = builtInBlocks();
      const DiagramSource source = diagramOfScene(scene, registry);
      const std::vector<std::string> logged = askedSignals(source.diagram, source.text.log);
      return describeDiagram(source.diagram, registry, guessedNames(logged, columns), model, columns);
    }
    json kept = json::parse(log.attachment(kDiagramAttachment));
    json signals = columnsOfSignals(kept.at("signals").get<SignalNames>(), columns);
    addState(kept.at("drawing"), model, columns, signals);
    json scopes = kept.value("scopes", SignalNames());  // older logs have none
    return put(std::move(kept.at("drawing")), std::move(signals), std::move(scopes), columns);
  } catch (const Error&) {  // a block of a plug-in, or a file that is not here
    return {{"problem", "this log holds no drawing of its diagram, and it cannot be drawn anew"}};
  } catch (const json::exception&) {
    return {{"problem", "the drawing in this log cannot be read"}};
  }
}

}  // namespace footfall::studio
