#include "studio/server/diagram_document.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "footfall/base/units.hpp"
#include "footfall/block_io/internal/connection_text.hpp"
#include "footfall/diagram_file/diagram_text.hpp"
#include "studio/server/refused.hpp"

namespace footfall::studio {
namespace {

using nlohmann::json;

constexpr std::size_t kMostParts = 4000;    ///< blocks, lines, ports and parameters of the whole document
constexpr std::size_t kMostLetters = 8192;  ///< bytes of one text
constexpr int kDeepest = 8;                 ///< sub-diagrams inside of each other
constexpr double kFarthest = 1e5;           ///< of a block from the origin [px]

// ---- as JSON -------------------------------------------------------------------------------------------------------

SceneTree mapOf(const SceneRepeats& repeats) {
  SceneTree map;
  if (repeats.empty()) return map;
  map.kind = SceneTree::Kind::map;
  for (const SceneRepeat& repeat : repeats) map.entries.push_back({repeat.variable, repeat.values});
  return map;
}

std::string numberText(double value) { return value > 0.0 ? fmt::format("{}", value) : ""; }

void addPlace(const SceneDiagram& diagram, const std::string& block, json& out) {
  for (const SceneBlockPlace& place : diagram.layout)
    if (place.block == block) out["at"] = {place.x, place.y};
}

json blockJson(const SceneDiagram& diagram, const SceneBlock& block) {
  json parameters = json::array();
  for (const auto& [name, value] : block.parameters) parameters.push_back({name, treeText(value)});
  json out = {{"name", block.name},
              {"kind", block.kind},
              {"sample", treeText(block.sample)},
              {"when", treeText(block.when)},
              {"for", treeText(mapOf(block.repeats))},
              {"parameters", std::move(parameters)}};
  addPlace(diagram, block.name, out);
  return out;
}

void addLines(const SceneConnection& connection, json& lines) {
  for (const auto& [from, to] : splitConnection(connection.text, connection.where))
    lines.push_back({{"from", from}, {"to", to}, {"for", treeText(mapOf(connection.repeats))}});
}

json portJson(const SceneDiagramPort& port) {
  return {{"name", port.name},
          {"help", port.help},
          {"from", port.source},
          {"type", port.type},
          {"unit", port.unit},
          {"size", treeText(port.size)},
          {"for", treeText(mapOf(port.repeats))}};
}

// ---- from JSON -----------------------------------------------------------------------------------------------------

class DocumentReader {
 public:
  SceneDiagram diagram(const json& value, const std::string& at, int depth) {
    if (!value.is_object()) throw Refused(at + "document", "expected an object");
    if (depth > kDeepest) throw Refused(at, "sub-diagrams lie more than 8 deep in each other");
    SceneDiagram diagram;
    diagram.where = at + "document";
    diagram.name = text(value, "name", at);
    diagram.about = text(value, "about", at);
    diagram.step = number(value, "step", Quantity::time, at);
    diagram.solver = text(value, "solver", at);
    diagram.tolerance = number(value, "tolerance", Quantity::plain, at);
    diagram.algebraic_loops = text(value, "algebraic_loops", at);
    each(value, "log", at, [&](const json& item, const std::string& where) {
      if (!item.is_string()) throw Refused(where, "expected a text");
      diagram.log.push_back(item.get<std::string>());
    });
    each(value, "parameters", at, [&](const json& item, const std::string& where) {
      diagram.parameters.push_back({where, name(item, where), text(item, "help", where), text(item, "unit", where),
                                    tree(item, "default", where)});
    });
    each(value, "inputs", at, [&](const json& item, const std::string& w) { diagram.inputs.push_back(port(item, w)); });
    each(value, "outputs", at,
         [&](const json& item, const std::string& w) { diagram.outputs.push_back(port(item, w)); });
    each(value, "blocks", at, [&](const json& item, const std::string& w) { addBlock(item, w, diagram); });
    each(value, "lines", at,
         [&](const json& item, const std::string& w) { diagram.connections.push_back(line(item, w)); });
    each(value, "subdiagrams", at, [&](const json& item, const std::string& w) {
      name(item, w);  // a kind of block must have one
      diagram.subdiagrams.push_back(this->diagram(item, w + "/", depth + 1));
    });
    return diagram;
  }

 private:
  template <class Read>
  void each(const json& object, const char* key, const std::string& at, Read read) {
    const auto found = object.find(key);
    if (found == object.end()) return;
    if (!found->is_array()) throw Refused(at + key, "expected a list");
    for (std::size_t k = 0; k < found->size(); ++k) {
      if (++parts_ > kMostParts) throw Refused(at + key, fmt::format("the diagram has more than {} parts", kMostParts));
      read((*found)[k], fmt::format("{}{}/{}", at, key, k));
    }
  }

  static std::string text(const json& object, const char* key, const std::string& where) {
    if (!object.is_object()) throw Refused(where, "expected an object");
    const auto found = object.find(key);
    if (found == object.end()) return "";
    if (!found->is_string()) throw Refused(where, fmt::format("'{}' is not a text", key));
    std::string text = found->get<std::string>();
    if (text.size() > kMostLetters)
      throw Refused(where, fmt::format("'{}' is longer than {} bytes", key, kMostLetters));
    return text;
  }

  static std::string name(const json& object, const std::string& where) {
    std::string name = text(object, "name", where);
    if (name.empty()) throw Refused(where, "it has no name");
    return name;
  }

  static double number(const json& object, const char* key, Quantity quantity, const std::string& at) {
    const std::string written = text(object, key, at);
    if (written.empty()) return 0.0;
    try {
      const double value = parseQuantity(written, quantity);
      if (value > 0.0 && std::isfinite(value)) return value;
    } catch (const std::invalid_argument&) {
      // said below
    }
    throw Refused(at + key, fmt::format("is '{}', expected {} above zero", written, describe(quantity)));
  }

  static SceneTree tree(const json& object, const char* key, const std::string& where) {
    return parsed(text(object, key, where), fmt::format("{}/{}", where, key));
  }

  static SceneTree parsed(const std::string& text, const std::string& where) {
    if (text.size() > kMostLetters) throw Refused(where, fmt::format("is longer than {} bytes", kMostLetters));
    try {
      return parseTree(text, where);
    } catch (const Error& error) {  // it quotes nothing but that text
      throw Refused(where, error.problem(), error.hint());
    }
  }

  static SceneRepeats repeats(const json& object, const std::string& where) {
    const SceneTree map = tree(object, "for", where);
    SceneRepeats repeats;
    if (map.given() && map.kind != SceneTree::Kind::map) throw Refused(where + "/for", "expected {variable: list}");
    for (const auto& [variable, values] : map.entries) repeats.push_back({variable, values});
    return repeats;
  }

  static SceneDiagramPort port(const json& item, const std::string& where) {
    SceneDiagramPort port;
    port.where = where;
    port.name = name(item, where);
    port.help = text(item, "help", where);
    port.source = text(item, "from", where);
    port.type = text(item, "type", where);
    port.unit = text(item, "unit", where);
    port.size = tree(item, "size", where);
    port.repeats = repeats(item, where);
    return port;
  }

  static SceneConnection line(const json& item, const std::string& where) {
    const std::string from = text(item, "from", where), to = text(item, "to", where);
    for (const std::string& end : {from, to})
      if (end.empty() || end.find("->") != std::string::npos || end.find_first_of(",\n\r") != std::string::npos)
        throw Refused(where, fmt::format("'{}' is not the end of a line", end));
    return {where, from + " -> " + to, repeats(item, where)};
  }

  void addBlock(const json& item, const std::string& where, SceneDiagram& diagram) {
    SceneBlock block;
    block.where = where;
    block.name = name(item, where);
    block.kind = text(item, "kind", where);
    if (block.kind.empty()) throw Refused(where, "it has no kind");
    block.sample = tree(item, "sample", where);
    block.when = tree(item, "when", where);
    block.repeats = repeats(item, where);
    each(item, "parameters", where + "/", [&](const json& pair, const std::string&) {
      if (!pair.is_array() || pair.size() != 2 || !pair[0].is_string() || !pair[1].is_string())
        throw Refused(where, "a parameter is not [name, value]");
      const std::string key = pair[0].get<std::string>();
      for (const char* taken : {"block", "sample", "when", "for"})
        if (key == taken) throw Refused(where, fmt::format("a parameter cannot be called '{}'", key));
      SceneTree value = parsed(pair[1].get<std::string>(), fmt::format("{}/{}", where, key));
      place(value, fmt::format("{}/{}", where, key));
      block.parameters.emplace_back(key, std::move(value));
    });
    if (item.contains("at")) diagram.layout.push_back(placeOf(item["at"], block.name, where));
    diagram.blocks.push_back(std::move(block));
  }

  static SceneBlockPlace placeOf(const json& at, const std::string& block, const std::string& where) {
    if (!at.is_array() || at.size() != 2 || !at[0].is_number() || !at[1].is_number())
      throw Refused(where, "'at' is not [x, y]");
    const auto rounded = [&](const json& number) {
      const double value = number.get<double>();
      if (!(std::abs(value) <= kFarthest)) throw Refused(where, "it is too far away");
      return std::round(value);
    };
    return {block, rounded(at[0]), rounded(at[1])};
  }

  /// Errors about a part of a value are shown at the value.
  static void place(SceneTree& tree, const std::string& where) {
    tree.where = where;
    for (SceneTree& item : tree.items) place(item, where);
    for (SceneTreeEntry& entry : tree.entries) place(entry.value, where);
  }

  std::size_t parts_ = 0;
};

}  // namespace

json documentJson(const SceneDiagram& diagram) {
  json out = {{"name", diagram.name},
              {"about", diagram.about},
              {"step", numberText(diagram.step)},
              {"solver", diagram.solver},
              {"tolerance", numberText(diagram.tolerance)},
              {"algebraic_loops", diagram.algebraic_loops},
              {"log", diagram.log}};
  for (const char* list : {"parameters", "inputs", "outputs", "blocks", "lines", "subdiagrams"})
    out[list] = json::array();
  for (const SceneDiagramParameter& parameter : diagram.parameters)
    out["parameters"].push_back({{"name", parameter.name},
                                 {"help", parameter.help},
                                 {"unit", parameter.unit},
                                 {"default", treeText(parameter.fallback)}});
  for (const SceneDiagramPort& port : diagram.inputs) out["inputs"].push_back(portJson(port));
  for (const SceneDiagramPort& port : diagram.outputs) out["outputs"].push_back(portJson(port));
  for (const SceneBlock& block : diagram.blocks) out["blocks"].push_back(blockJson(diagram, block));
  for (const SceneConnection& connection : diagram.connections) addLines(connection, out["lines"]);
  for (const SceneDiagram& inside : diagram.subdiagrams) out["subdiagrams"].push_back(documentJson(inside));
  return out;
}

SceneDiagram readDocument(const json& document) { return DocumentReader().diagram(document, "", 0); }

SceneDiagram documentOf(const Diagram& diagram) {
  SceneDiagram document;
  document.where = "document";
  for (const Diagram::BlockInfo& info : diagram.blocks()) {
    SceneBlock block;
    block.name = info.path;
    block.kind = info.kind;
    document.blocks.push_back(std::move(block));
  }
  for (const Diagram::Line& line : diagram.lines()) {
    if (line.block < 0) continue;
    const Diagram::BlockInfo& target = diagram.blocks()[static_cast<std::size_t>(line.block)];
    const std::string& input = target.interface.inputs[static_cast<std::size_t>(line.port)].name;
    document.connections.push_back({"", fmt::format("{} -> {}.{}", diagram.signalOf(line), target.path, input), {}});
  }
  return document;
}

}  // namespace footfall::studio
