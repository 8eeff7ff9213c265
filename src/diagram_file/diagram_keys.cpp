#include "footfall/diagram_file/internal/diagram_keys.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "footfall/base/internal/read_text.hpp"
#include "footfall/diagram_file/diagram_text.hpp"

namespace footfall {
namespace {

namespace fs = std::filesystem;
using Files = std::vector<std::string>;

/// A whole document that is a diagram. `within` names the files that led to it: none of them may be asked for again.
DiagramFile readDiagramDocument(const SceneValue& value, const Files& within);

SceneTree readTree(const SceneValue& value) {
  SceneTree tree;
  tree.where = value.where();
  if (value.empty()) return tree;
  if (value.isList()) {
    tree.kind = SceneTree::Kind::list;
    for (const SceneValue& item : value.items()) tree.items.push_back(readTree(item));
  } else if (value.isMap()) {
    tree.kind = SceneTree::Kind::map;
    for (const auto& [key, entry] : value.entries()) tree.entries.push_back({key, readTree(entry)});
  } else {
    tree.kind = SceneTree::Kind::text;
    tree.text = value.isQuoted() ? value.quotedText() : value.text();
    tree.quoted = value.isQuoted();
  }
  return tree;
}

SceneRepeats readRepeats(const SceneValue& value) {
  SceneRepeats repeats;
  for (const auto& [variable, values] : value.entries()) repeats.push_back({variable, readTree(values)});
  if (repeats.empty()) throw value.error("is empty, expected {variable: list}", "for: {foot: [l_sole, r_sole]}");
  return repeats;
}

constexpr const char* kRepeatSchema = R"("type": "object", "minProperties": 1)";
constexpr const char* kRepeatHelp = "there once for each value of a list: {foot: $feet}; $foot is the value";

template <class S>
Field<S> repeatField() {
  return {"for", kRepeatHelp, kRepeatSchema,
          [](const SceneValue& value, S& section) { section.repeats = readRepeats(value); }};
}

template <class S>
Field<S> treeField(std::string name, SceneTree S::*member, std::string schema, std::string help) {
  return {std::move(name), std::move(help), std::move(schema),
          [=](const SceneValue& value, S& section) { section.*member = readTree(value); }};
}

// --- blocks ---------------------------------------------------------------------------------------------------------

constexpr const char* kWhenHelp =
    "runs only while a signal is true: `contact.out`, `not contact.out`, or {is: | not: | rises: | falls: | changes: "
    "signal, restart: true, clear: "
    "true}";

SceneBlock readBlock(const std::string& name, const SceneValue& value) {
  SceneBlock block;
  block.where = value.where();
  block.name = name;
  if (value.isText()) {  // `robot: Robot`
    block.kind = value.text();
    return block;
  }
  for (const auto& [key, entry] : value.entries()) {
    if (key == "block")
      block.kind = entry.text();
    else if (key == "sample")
      block.sample = readTree(entry);
    else if (key == "when")
      block.when = readTree(entry);
    else if (key == "for")
      block.repeats = readRepeats(entry);
    else
      block.parameters.emplace_back(key, readTree(entry));
  }
  if (block.kind.empty())
    throw value.error("has no 'block', the kind of block that it is", "`footfall blocks` lists the kinds");
  return block;
}

Field<SceneDiagram> blocksField() {
  const std::string sample =
      fmt::format(R"("anyOf": [{{{}}}, {{"enum": ["continuous", "inherited", "constant"]}}, {{"type": "object"}}])",
                  numberSchema(Quantity::time, positive()));
  return {
      "blocks", "the parts, by name: {block: Kind, parameter: value, …}, or the kind alone",
      fmt::format(
          R"("type": "object", "additionalProperties": {{"anyOf": [{{"type": "string"}}, {{"type": "object", "required": ["block"], "properties": {{"block": {{"description": "kind: `footfall blocks` lists them", "type": "string"}}, "sample": {{"description": "when it is evaluated; default: as its inputs", {}}}, "when": {{"description": {}, "type": ["string", "object"]}}, "for": {{"description": {}, {}}}}}}}]}})",
          sample, quoteJson(kWhenHelp), quoteJson(kRepeatHelp), kRepeatSchema),
      [](const SceneValue& value, SceneDiagram& diagram) {
        for (const auto& [name, entry] : value.entries()) diagram.blocks.push_back(readBlock(name, entry));
      }};
}

// --- connections ----------------------------------------------------------------------------------------------------

void readConnections(const SceneValue& value, const SceneRepeats& repeats, SceneDiagram& diagram);

void readRepeatedConnections(const SceneValue& value, const SceneRepeats& outer, SceneDiagram& diagram) {
  SceneRepeats repeats = outer;
  for (const auto& [key, entry] : value.entries()) {
    checkKnownKey(value, key, {"for", "connect"});
    if (key != "for") continue;
    for (SceneRepeat& repeat : readRepeats(entry)) repeats.push_back(std::move(repeat));
  }
  bool found = false;
  for (const auto& [key, entry] : value.entries()) {
    if (key != "connect") continue;
    readConnections(entry, repeats, diagram);
    found = true;
  }
  if (!found) throw value.error("has no 'connect'", "- {for: {foot: $feet}, connect: [$foot -> gain]}");
}

void readConnections(const SceneValue& value, const SceneRepeats& repeats, SceneDiagram& diagram) {
  if (value.isText()) {
    diagram.connections.push_back({value.where(), value.text(), repeats});
  } else if (value.isMap()) {
    readRepeatedConnections(value, repeats, diagram);
  } else {
    for (const SceneValue& item : value.items()) readConnections(item, repeats, diagram);
  }
}

Field<SceneDiagram> connectField() {
  return {"connect", "list of `block.port -> block.port`; {for: …, connect: […]} for several at once",
          R"("type": "array", "items": {"anyOf": [{"type": "string", "pattern": "->"}, {"type": "object"}]})",
          [](const SceneValue& value, SceneDiagram& diagram) {
            if (value.empty()) return;
            if (!value.isList()) value.items();  // throws: a list is expected
            readConnections(value, {}, diagram);
          }};
}

// --- ports and parameters -------------------------------------------------------------------------------------------

FieldTable<SceneDiagramPort> inputFields() {
  return {
      choiceField("type", &SceneDiagramPort::type, {"any", "scalar", "vector", "matrix", "pose", "boolean"},
                  "default: whatever it is connected to"),
      treeField("size", &SceneDiagramPort::size,
                R"("anyOf": [{"type": "integer"}, {"type": "string"}, {"type": "array"}])",
                "of a vector: 3; of a matrix: [2, 3]"),
      textField("unit", &SceneDiagramPort::unit, "N m, rad/s …; `-` for plain numbers"),
      textField("help", &SceneDiagramPort::help, "one line"),
      repeatField<SceneDiagramPort>(),
  };
}

FieldTable<SceneDiagramPort> outputFields() {
  return {
      required(textField("from", &SceneDiagramPort::source, "the port of a block inside: controller.torque")),
      textField("help", &SceneDiagramPort::help, "one line"),
      repeatField<SceneDiagramPort>(),
  };
}

void checkInputKeys(const SceneValue& value, SceneDiagramPort& port) {
  if (!value.has("size") || port.type == "vector" || port.type == "matrix") return;
  throw value.keyError(
      "size", port.type.empty() ? "is given without a type" : fmt::format("is given beside the type '{}'", port.type),
      "vectors and matrices have one: {type: vector, size: 3}");
}

/// Entries by name, each read by a table, or by a single text.
template <class S, class ReadText>
Field<SceneDiagram> namedField(std::string name, std::vector<S> SceneDiagram::*member, const FieldTable<S>& table,
                               ReadText read_text, std::string help,
                               const SectionCheck<std::type_identity_t<S>>& check = {}) {
  std::string schema = fmt::format(
      R"("type": "object", "additionalProperties": {{"anyOf": [{{"type": ["string", "number", "boolean", "array", "null"]}}, {{{}}}]}})",
      sectionSchema(table));
  return {std::move(name), std::move(help), std::move(schema), [=](const SceneValue& value, SceneDiagram& diagram) {
            for (const auto& [key, entry] : value.entries()) {
              S item;
              item.where = entry.where();
              item.name = key;
              if (entry.isMap())
                readSection(entry, table, item, check);
              else
                read_text(entry, item);
              (diagram.*member).push_back(std::move(item));
            }
          }};
}

FieldTable<SceneDiagramParameter> parameterFields() {
  return {
      treeField("default", &SceneDiagramParameter::fallback, R"("description": "any value")",
                "what it is when it is not given; none: it must be given"),
      textField("help", &SceneDiagramParameter::help, "one line"),
      textField("unit", &SceneDiagramParameter::unit, "N m, rad/s …"),
  };
}

// --- sub-diagrams ---------------------------------------------------------------------------------------------------

FieldTable<SceneDiagram> diagramFields(const Files& within);

void checkTolerance(const SceneValue& value, const SceneDiagram& diagram) {
  if (value.has("tolerance") && diagram.solver != "rk45")
    throw value.keyError("tolerance", "is given, but the solver is not rk45", "others have steps of a fixed length");
}

SceneDiagram readDiagram(const SceneValue& value, const Files& within) {
  SceneDiagram diagram;
  diagram.where = value.where();
  diagram.source = value.source();
  readSection(value, diagramFields(within), diagram);
  checkTolerance(value, diagram);
  return diagram;
}

std::string chain(const Files& within, const std::string& last) {
  std::string text;
  for (const std::string& file : within) text += fs::path(file).filename().string() + " -> ";
  return text + fs::path(last).filename().string();
}

SceneDiagram readDiagramFile(const SceneValue& asked_by, const std::string& file, Files within) {
  const fs::path beside = fs::path(asked_by.source()).parent_path() / file;
  std::error_code ignored;
  if (!fs::is_regular_file(beside, ignored))
    throw asked_by.error(fmt::format("names the file '{}', which is not there", file), "looked for " + beside.string());
  const std::string path = fs::weakly_canonical(beside).string();
  if (within.empty()) within.push_back(fs::weakly_canonical(asked_by.source()).string());
  if (std::find(within.begin(), within.end(), path) != within.end())
    throw asked_by.error(fmt::format("includes a file that includes it: {}", chain(within, path)));
  within.push_back(path);
  const SceneSource origin{beside.string(), asked_by.overridesInside()};
  return readDiagramDocument(SceneValue(origin, parseSceneDocument(readText(beside), origin), ""), within).diagram;
}

SceneDiagram readDiagramOrFile(const SceneValue& value, const Files& within) {
  if (value.isText()) return readDiagramFile(value, value.text(), within);
  for (const auto& [key, entry] : value.entries()) {
    if (key != "file") continue;
    if (value.entries().size() > 1) throw value.error("has a 'file' and something else", "the file says everything");
    return readDiagramFile(entry, entry.text(), within);
  }
  return readDiagram(value, within);
}

/// A file may be run by itself, which needs these; a part of another diagram steps with it.
void refuseKeysOfWhole(const SceneValue& part) {
  for (const char* key : {"step", "solver", "tolerance", "algebraic_loops", "log"})
    if (part.has(key))
      throw part.keyError(key, "is not read in a part of a diagram", "write it in the diagram that holds this one");
}

Field<SceneDiagram> subdiagramsField(const Files& within) {
  return {
      "subdiagrams", "kinds of blocks that are diagrams themselves, by name: a diagram, or its file",
      R"("type": "object", "additionalProperties": {"anyOf": [{"type": "string"}, {"$ref": "#/properties/diagram/anyOf/1"}]})",
      [=](const SceneValue& value, SceneDiagram& diagram) {
        for (const auto& [name, entry] : value.entries()) {
          refuseKeysOfWhole(entry);
          diagram.subdiagrams.push_back(readDiagramOrFile(entry, within));
          diagram.subdiagrams.back().name = name;
        }
      }};
}

Field<SceneDiagram> logField() {
  return {"log", "signals that the log of a run holds too: block.port, block.port.field",
          listSchema(R"("type": "string")"), [](const SceneValue& value, SceneDiagram& diagram) {
            diagram.log = readTexts(value);
            for (const SceneValue& item : value.items()) diagram.log_places.push_back(item.where());
          }};
}

SceneBlockPlace readPlace(const std::string& block, const SceneValue& value) {
  const std::vector<SceneValue> numbers = value.items();
  if (numbers.size() != 2)
    throw value.error(fmt::format("has {} numbers, expected two: [x, y]", numbers.size()), "layout: {gain: [160, 40]}");
  constexpr double kFar = 1e6;
  return {block, readNumber(numbers[0], Quantity::plain, between(-kFar, kFar)),
          readNumber(numbers[1], Quantity::plain, between(-kFar, kFar))};
}

Field<SceneDiagram> layoutField() {
  return {
      "layout", "where the studio's editor shows blocks, by name: [x, y] in pixels; nothing else depends on it",
      R"("type": "object", "additionalProperties": {"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 2})",
      [](const SceneValue& value, SceneDiagram& diagram) {
        for (const auto& [block, place] : value.entries()) diagram.layout.push_back(readPlace(block, place));
      }};
}

FieldTable<SceneDiagram> diagramFields(const Files& within) {
  return {
      textField("about", &SceneDiagram::about, "one line: what it does"),
      numberField("step", &SceneDiagram::step, Quantity::time, positive(),
                  "base step; sample times are multiples of it; default: physics.step [s]"),
      choiceField("solver", &SceneDiagram::solver, {"rk4", "euler", "rk45"},
                  "of continuous states; rk45 chooses its steps and finds crossings"),
      numberField("tolerance", &SceneDiagram::tolerance, Quantity::plain, positive(),
                  "of rk45: error of a state in one of its steps, of max(1, |state|); default: 1e-6"),
      choiceField("algebraic_loops", &SceneDiagram::algebraic_loops, {"refuse", "solve"},
                  "values that need themselves at the same instant: refuse (default), or solve by Newton's method"),
      namedField(
          "parameters", &SceneDiagram::parameters, parameterFields(),
          [](const SceneValue& value, SceneDiagramParameter& p) { p.fallback = readTree(value); },
          "by name: the value if none is given, or {default: …, help: …, unit: …}"),
      namedField(
          "inputs", &SceneDiagram::inputs, inputFields(),
          [](const SceneValue& value, SceneDiagramPort& port) {
            if (!value.empty()) port.help = value.text();
          },
          "ports of the diagram itself, by name: {type: vector, size: 3, unit: N, help: …}", checkInputKeys),
      namedField(
          "outputs", &SceneDiagram::outputs, outputFields(),
          [](const SceneValue& value, SceneDiagramPort& port) { port.source = value.text(); },
          "ports of the diagram itself, by name: block.port, or {from: block.port, help: …}"),
      blocksField(),
      connectField(),
      subdiagramsField(within),
      logField(),
      layoutField(),
  };
}

DiagramFile readDiagramDocument(const SceneValue& value, const Files& within) {
  FieldTable<DiagramFile> table;
  for (const Field<SceneDiagram>& field : diagramFields(within))
    table.push_back({field.name, field.help, field.schema,
                     [=](const SceneValue& entry, DiagramFile& file) { field.read(entry, file.diagram); }});
  table.push_back(sectionField("run", &DiagramFile::run, runFields(), "how long, and what is kept"));
  DiagramFile file;
  file.diagram.where = value.where();
  file.diagram.source = file.run.where = value.source();
  readSection(value, table, file);
  checkTolerance(value, file.diagram);
  return file;
}

}  // namespace

SceneDiagram readDiagramSection(const SceneValue& value) { return readDiagramOrFile(value, {}); }

SceneTree parseTree(const std::string& text, const std::string& where) {
  const SceneSource origin{where, {}};
  try {
    return readTree(SceneValue(origin, parseSceneDocument(text, origin), ""));
  } catch (const Error& error) {
    throw Error(where, error.problem(), error.hint());  // it has one line only
  }
}

std::string diagramSchema() {
  return fmt::format(R"("anyOf": [{{"type": "string"}}, {{{}}}])", sectionSchema(diagramFields({})));
}

FieldTable<SceneRun> runFields() {
  using enum Quantity;
  return {
      numberField("duration", &SceneRun::duration, time, positive(), "how long to simulate [s]"),
      textField("log", &SceneRun::log, "file for the log, relative to where the command runs; default: none"),
      numberField("log_period", &SceneRun::log_period, time, atLeast(0.0),
                  "between rows of the log; 0: every step [s]"),
      countField("seed", &SceneRun::seed, "of all random numbers"),
  };
}

DiagramFile parseDiagramFile(const std::string& text, const std::string& source,
                             const std::vector<SceneOverride>& overrides) {
  const SceneSource origin{source, overrides};
  const YAML::Node document = parseSceneDocument(text, origin);
  return readDiagramDocument(SceneValue(origin, document, ""), {fs::weakly_canonical(source).string()});
}

SceneDiagram parseDiagram(const std::string& text, const std::string& source) {
  return parseDiagramFile(text, source, {}).diagram;
}

DiagramFile loadDiagramFile(const std::string& path, const std::vector<SceneOverride>& overrides) {
  return parseDiagramFile(readText(path), path, overrides);
}

}  // namespace footfall
