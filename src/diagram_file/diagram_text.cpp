#include "footfall/diagram_file/diagram_text.hpp"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

namespace footfall {
namespace {

using YAML::Emitter;

std::string shortest(double number) { return fmt::format("{}", number); }

void write(const SceneTree& tree, Emitter& out) {
  switch (tree.kind) {
    case SceneTree::Kind::none:
      out << YAML::Null;
      return;
    case SceneTree::Kind::text:
      if (tree.quoted) out << YAML::DoubleQuoted;
      out << tree.text;
      return;
    case SceneTree::Kind::list:
      out << YAML::Flow << YAML::BeginSeq;
      for (const SceneTree& item : tree.items) write(item, out);
      out << YAML::EndSeq;
      return;
    case SceneTree::Kind::map:
      out << YAML::Flow << YAML::BeginMap;
      for (const auto& [key, entry] : tree.entries) {
        out << YAML::Key << key << YAML::Value;
        write(entry, out);
      }
      out << YAML::EndMap;
  }
}

void writeKey(const char* key, const std::string& text, Emitter& out) {
  if (!text.empty()) out << YAML::Key << key << YAML::Value << text;
}

void writeKey(const char* key, const SceneTree& tree, Emitter& out) {
  if (!tree.given()) return;
  out << YAML::Key << key << YAML::Value;
  write(tree, out);
}

void writeRepeats(const SceneRepeats& repeats, Emitter& out) {
  if (repeats.empty()) return;
  out << YAML::Key << "for" << YAML::Value << YAML::Flow << YAML::BeginMap;
  for (const SceneRepeat& repeat : repeats) {
    out << YAML::Key << repeat.variable << YAML::Value;
    write(repeat.values, out);
  }
  out << YAML::EndMap;
}

void writeBlock(const SceneBlock& block, Emitter& out) {
  out << YAML::Key << block.name << YAML::Value;
  if (!block.sample.given() && !block.when.given() && block.repeats.empty() && block.parameters.empty()) {
    out << block.kind;
    return;
  }
  constexpr std::size_t kMostInALine = 4;  // parameters
  if (block.parameters.size() <= kMostInALine) out << YAML::Flow;
  out << YAML::BeginMap;
  writeKey("block", block.kind, out);
  writeRepeats(block.repeats, out);
  writeKey("sample", block.sample, out);
  writeKey("when", block.when, out);
  for (const auto& [name, value] : block.parameters) {
    out << YAML::Key << name << YAML::Value;
    write(value, out);
  }
  out << YAML::EndMap;
}

void writeConnection(const SceneConnection& connection, Emitter& out) {
  if (connection.repeats.empty()) {
    out << connection.text;
    return;
  }
  out << YAML::Flow << YAML::BeginMap;
  writeRepeats(connection.repeats, out);
  out << YAML::Key << "connect" << YAML::Value << YAML::Flow << YAML::BeginSeq << connection.text << YAML::EndSeq;
  out << YAML::EndMap;
}

/// Of a diagram itself: inputs have a type, outputs a source.
void writePort(const SceneDiagramPort& port, Emitter& out) {
  out << YAML::Key << port.name << YAML::Value;
  if (!port.source.empty() && port.help.empty() && port.repeats.empty()) {
    out << port.source;
    return;
  }
  out << YAML::Flow << YAML::BeginMap;
  writeKey("from", port.source, out);
  writeKey("type", port.type, out);
  writeKey("size", port.size, out);
  writeKey("unit", port.unit, out);
  writeKey("help", port.help, out);
  writeRepeats(port.repeats, out);
  out << YAML::EndMap;
}

void writeParameter(const SceneDiagramParameter& parameter, Emitter& out) {
  out << YAML::Key << parameter.name << YAML::Value << YAML::Flow << YAML::BeginMap;
  writeKey("default", parameter.fallback, out);
  writeKey("help", parameter.help, out);
  writeKey("unit", parameter.unit, out);
  out << YAML::EndMap;
}

/// Named things as a map; nothing where there are none.
template <class List, class Write>
void writeMap(const char* key, const List& list, Write write_one, Emitter& out) {
  if (list.empty()) return;
  out << YAML::Key << key << YAML::Value << YAML::BeginMap;
  for (const auto& item : list) write_one(item, out);
  out << YAML::EndMap;
}

void writeDiagram(const SceneDiagram& diagram, Emitter& out);

void writeSubdiagram(const SceneDiagram& diagram, Emitter& out) {
  out << YAML::Key << diagram.name << YAML::Value;
  writeDiagram(diagram, out);
}

void writePlace(const SceneBlockPlace& place, Emitter& out) {
  out << YAML::Key << place.block << YAML::Value << YAML::Flow << YAML::BeginSeq << shortest(place.x)
      << shortest(place.y) << YAML::EndSeq;
}

void writeDiagram(const SceneDiagram& diagram, Emitter& out) {
  out << YAML::BeginMap;
  writeKey("about", diagram.about, out);
  if (diagram.step > 0.0) writeKey("step", shortest(diagram.step), out);
  writeKey("solver", diagram.solver, out);
  if (diagram.tolerance > 0.0) writeKey("tolerance", shortest(diagram.tolerance), out);
  writeKey("algebraic_loops", diagram.algebraic_loops, out);
  writeMap("parameters", diagram.parameters, writeParameter, out);
  writeMap("inputs", diagram.inputs, writePort, out);
  writeMap("outputs", diagram.outputs, writePort, out);
  out << YAML::Key << "blocks" << YAML::Value;
  if (diagram.blocks.empty()) out << YAML::Flow;
  out << YAML::BeginMap;
  for (const SceneBlock& block : diagram.blocks) writeBlock(block, out);
  out << YAML::EndMap;
  if (!diagram.connections.empty()) {
    out << YAML::Key << "connect" << YAML::Value << YAML::BeginSeq;
    for (const SceneConnection& connection : diagram.connections) writeConnection(connection, out);
    out << YAML::EndSeq;
  }
  if (!diagram.log.empty()) out << YAML::Key << "log" << YAML::Value << YAML::Flow << diagram.log;
  writeMap("subdiagrams", diagram.subdiagrams, writeSubdiagram, out);
  writeMap("layout", diagram.layout, writePlace, out);
  out << YAML::EndMap;
}

}  // namespace

std::string diagramText(const SceneDiagram& diagram) {
  Emitter out;
  writeDiagram(diagram, out);
  return std::string(out.c_str()) + "\n";
}

std::string treeText(const SceneTree& tree) {
  if (!tree.given()) return "";
  Emitter out;
  out.SetMapFormat(YAML::Flow);
  out.SetSeqFormat(YAML::Flow);
  write(tree, out);
  return out.c_str();
}

}  // namespace footfall
