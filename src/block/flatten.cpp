#include <fmt/format.h>

#include <map>

#include "block/attempt.hpp"
#include "block/flat_diagram.hpp"
#include "footfall/base/error.hpp"
#include "footfall/base/suggest.hpp"

namespace footfall {

std::string FlatDiagram::nameOf(const FlatSource& source) const {
  const std::string port = source.block < 0 ? inputs[source.port].name
                                            : blocks[source.block].info.path + "." +
                                                  blocks[source.block].info.interface.outputs[source.port].name;
  return source.field.empty() ? port : port + "." + source.field;
}

namespace {

using Parts = DiagramBuilder::Parts;

/// A diagram or sub-diagram that is being opened.
struct Scope {
  const Parts* parts = nullptr;
  Scope* parent = nullptr;  ///< null: the whole diagram
  std::string name;         ///< in the parent
  std::string path;         ///< "legs.left."; empty: the whole diagram
  std::size_t number = 0;   ///< among the sub-diagrams
  int gate = -1;            ///< the innermost condition under which it runs
  std::map<std::string, int> blocks;
  std::map<std::string, std::unique_ptr<Scope>> insides;
  /// By "node.input", with the port's name always written out.
  std::map<std::string, const Parts::Connection*> lines;
};

/// "a.b.c" → "a" and "b.c"
std::pair<std::string, std::string> splitFirst(const std::string& text) {
  const auto dot = text.find('.');
  if (dot == std::string::npos) return {text, ""};
  return {text.substr(0, dot), text.substr(dot + 1)};
}

/// "<tag>.field" → "tag" and "field"
std::pair<std::string, std::string> splitTag(const std::string& text, const std::string& where) {
  const auto end = text.find('>');
  if (end == std::string::npos || (end + 1 < text.size() && text[end + 1] != '.'))
    throw Error(where, fmt::format("'{}' is not the name of a signal, expected <name> or <name>.field", text));
  return {text.substr(1, end - 1), end + 1 < text.size() ? text.substr(end + 2) : ""};
}

template <class List>
std::vector<std::string> namesOf(const List& list) {
  std::vector<std::string> names;
  for (const auto& item : list) names.push_back(item.name);
  return names;
}

std::vector<std::string> namesOf(const std::vector<Parts::Input>& inputs) {
  std::vector<std::string> names;
  for (const Parts::Input& input : inputs) names.push_back(input.port.name);
  return names;
}

int indexOf(const std::vector<std::string>& names, const std::string& name) {
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i] == name) return static_cast<int>(i);
  return -1;
}

/// Number of a port; when a node has only one, or one that is called `in` or `out`, it need not be named. Takes the
/// name off the front of `rest`.
int takePort(const std::vector<std::string>& ports, const std::string& node, const char* kind, std::string& rest,
             const std::string& where) {
  const auto [name, behind] = splitFirst(rest);
  if (const int port = indexOf(ports, name); port >= 0) {
    rest = behind;
    return port;
  }
  if (ports.size() == 1 && name.empty()) return 0;
  if (const int usual = indexOf(ports, std::string(kind) == "input" ? "in" : "out"); name.empty() && usual >= 0)
    return usual;
  if (name.empty())
    throw Error(where, fmt::format("which {} of block '{}' is meant? It has {}", kind, node, ports.size()),
                suggestOrList(name, ports));
  throw Error(where, fmt::format("block '{}' has no {} '{}'", node, kind, name),
              ports.empty() ? fmt::format("it has no {}s", kind) : suggestOrList(name, ports));
}

class Flattener {
 public:
  /// @param problems are noted there; null: they are thrown
  explicit Flattener(const Parts& root, std::vector<Error>* problems = nullptr) : problems_(problems) {
    open(root, root_);
  }

  FlatDiagram run() {
    for (const Parts::Input& input : root_.parts->inputs) flat_.inputs.push_back(input.port);
    gatherLines(root_);
    connectBlocks(root_);
    for (std::size_t gate = 0; gate < flat_.gates.size(); ++gate) {
      const RunCondition& condition = flat_.gates[gate].condition;
      attempt(problems_, [&] {
        flat_.gates[gate].source = requireSource(*gate_scopes_[gate], condition.source, condition.where);
      });
    }
    for (const Parts::Output& output : root_.parts->outputs)
      attempt(problems_, [&] {
        flat_.outputs.push_back({output.name, requireSource(root_, output.source, output.where), output.where});
      });
    if (problems_ != nullptr) findPorts(root_);
    nameOutputs(root_);
    return std::move(flat_);
  }

 private:
  void open(const Parts& parts, Scope& scope) {
    scope.parts = &parts;
    for (const Parts::Node& node : parts.nodes) {
      const int gate = gateOf(node, scope);
      const std::string condition = node.condition ? node.condition->describe() : "";
      if (node.block) {
        addBlock(node, scope, condition);
        flat_.blocks.back().gate = gate;
        continue;
      }
      flat_.subdiagrams.push_back({scope.path + node.name, node.kind, condition});
      auto inside = std::make_unique<Scope>();
      inside->number = flat_.subdiagrams.size() - 1;
      inside->gate = gate;
      inside->parent = &scope;
      inside->name = node.name;
      inside->path = scope.path + node.name + ".";
      open(node.inside->parts(), *inside);
      scope.insides[node.name] = std::move(inside);
    }
  }

  /// Number of its own condition, or of the one that holds for the whole scope.
  int gateOf(const Parts::Node& node, Scope& scope) {
    if (!node.condition) return scope.gate;
    flat_.gates.push_back({scope.path + node.name, *node.condition, {}, scope.gate});
    gate_scopes_.push_back(&scope);
    return static_cast<int>(flat_.gates.size()) - 1;
  }

  void addBlock(const Parts::Node& node, Scope& scope, const std::string& condition) {
    FlatBlock block;
    block.info = {scope.path + node.name, node.kind, node.where, node.block, {}, {}, condition};
    node.block->declare(block.info.interface);
    block.info.sample_time = node.sample_time.value_or(block.info.interface.sample_time);
    block.inputs.resize(block.info.interface.inputs.size());
    scope.blocks[node.name] = static_cast<int>(flat_.blocks.size());
    flat_.blocks.push_back(std::move(block));
  }

  std::vector<std::string> inputNames(const Scope& scope, const std::string& node) const {
    if (const auto block = scope.blocks.find(node); block != scope.blocks.end())
      return namesOf(flat_.blocks[block->second].info.interface.inputs);
    return namesOf(scope.insides.at(node)->parts->inputs);
  }

  void checkNode(const Scope& scope, const std::string& node, bool as_source, const std::string& where) const {
    if (scope.parts->find(node) != nullptr) return;
    std::vector<std::string> known = namesOf(scope.parts->nodes);
    if (as_source)
      for (const std::string& input : namesOf(scope.parts->inputs)) known.push_back(input);
    throw Error(where, fmt::format("there is no block '{}{}'", scope.path, node), suggestOrList(node, known));
  }

  void gatherLines(Scope& scope) {
    for (const Parts::Connection& line : scope.parts->connections) attempt(problems_, [&] { gatherLine(scope, line); });
    for (auto& [name, inside] : scope.insides) gatherLines(*inside);
  }

  void gatherLine(Scope& scope, const Parts::Connection& line) {
    auto [node, rest] = splitFirst(line.input);
    checkNode(scope, node, false, line.where);
    const std::vector<std::string> ports = inputNames(scope, node);
    const std::string full = node + "." + ports[takePort(ports, scope.path + node, "input", rest, line.where)];
    if (!rest.empty())
      throw Error(line.where, fmt::format("'{}' is a part of an input; lines go to whole inputs", line.input));
    const auto [place, is_new] = scope.lines.emplace(full, &line);
    if (!is_new)
      throw Error(line.where,
                  fmt::format("input '{}{}' has two writers: '{}' and '{}'", scope.path, full, place->second->source,
                              line.source),
                  "an input has one source; a Sum, a Switch or a Mux can join several");
  }

  void connectBlocks(Scope& scope) {
    for (const auto& entry : scope.blocks) {
      FlatBlock& block = flat_.blocks[entry.second];
      for (std::size_t port = 0; port < block.inputs.size(); ++port)
        attempt(problems_, [&] { connectInput(scope, entry.first, block, port); });
    }
    for (auto& [name, inside] : scope.insides) {
      noteCrossings(*inside);
      connectBlocks(*inside);
    }
  }

  void noteCrossings(Scope& inside) {
    for (const Parts::Input& input : inside.parts->inputs) {
      const auto line = inside.parent->lines.find(inside.name + "." + input.port.name);
      if (line == inside.parent->lines.end()) continue;
      attempt(problems_, [&] {
        const auto source = findSource(*inside.parent, line->second->source, line->second->where, 0);
        if (source)
          flat_.crossings.push_back({*source, inside.path + input.port.name, input.port.type, line->second->where});
      });
    }
  }

  /// Of the sub-diagrams. Lines that lead nowhere were noted already.
  void findPorts(Scope& scope) {
    std::vector<Error> known;
    if (scope.parent != nullptr) {
      for (const Parts::Input& input : scope.parts->inputs) {
        FlatPort port{scope.number, true, input.port.name, input.port.type, std::nullopt};
        attempt(&known, [&] { port.source = findSource(scope, input.port.name, "", 0); });
        flat_.ports.push_back(std::move(port));
      }
      for (const Parts::Output& output : scope.parts->outputs) {
        FlatPort port{scope.number, false, output.name, SignalType::any(), std::nullopt};
        attempt(problems_, [&] { port.source = findSource(scope, output.source, output.where, 0); });
        flat_.ports.push_back(std::move(port));
      }
    }
    for (auto& [name, inside] : scope.insides) findPorts(*inside);
  }

  /// Outputs of sub-diagrams are other names of signals. One that nobody reads may come from nowhere: it is no name.
  void nameOutputs(Scope& scope) {
    std::vector<Error> unread;
    for (auto& [name, inside] : scope.insides) {
      for (const Parts::Output& output : inside->parts->outputs)
        attempt(&unread, [&, &inside = inside] {
          const auto source = findSource(*inside, output.source, output.where, 0);
          if (source) flat_.inner_outputs.push_back({inside->path + output.name, *source, output.where});
        });
      nameOutputs(*inside);
    }
  }

  void connectInput(Scope& scope, const std::string& name, FlatBlock& block, std::size_t port) {
    const BlockInterface::Input& input = block.info.interface.inputs[port];
    const auto line = scope.lines.find(name + "." + input.name);
    if (line != scope.lines.end()) {
      block.inputs[port].source = findSource(scope, line->second->source, line->second->where, 0);
      block.inputs[port].where = line->second->where;
    }
    if (!block.inputs[port].source && !input.optional)
      throw Error(block.info.where,
                  fmt::format("input '{}' of block '{}' ({}) is not connected", input.name, block.info.path,
                              input.type.describe()),
                  line == scope.lines.end()
                      ? "connect something to it"
                      : fmt::format("it comes from '{}', an input of the sub-diagram that nothing "
                                    "is connected to",
                                    line->second->source));
  }

  FlatSource requireSource(Scope& scope, const std::string& text, const std::string& where) {
    const std::optional<FlatSource> source = findSource(scope, text, where, 0);
    if (!source) throw Error(where, fmt::format("nothing is connected to '{}'", text));
    return *source;
  }

  /// Follows a line back to the block that it comes from; empty: it ends at an input of a sub-diagram that nothing is
  /// connected to.
  std::optional<FlatSource> findSource(Scope& scope, const std::string& text, const std::string& where, int depth) {
    constexpr int kDeepest = 100;  // lines that pass through this many sub-diagrams go in a circle
    if (depth > kDeepest)
      throw Error(where,
                  fmt::format("the line from '{}' goes in a circle through sub-diagrams without any block", text));
    if (text.starts_with('<')) return sourceOfTag(scope, text, where, depth);
    auto [node, rest] = splitFirst(text);
    if (const int input = indexOf(namesOf(scope.parts->inputs), node); input >= 0)
      return sourceOfInput(scope, input, rest, where, depth);
    checkNode(scope, node, true, where);
    if (const auto block = scope.blocks.find(node); block != scope.blocks.end()) {
      const BlockInterface& interface = flat_.blocks[block->second].info.interface;
      const int port = takePort(namesOf(interface.outputs), scope.path + node, "output", rest, where);
      return FlatSource{block->second, port, rest};
    }
    Scope& inside = *scope.insides.at(node);
    const int port = takePort(namesOf(inside.parts->outputs), scope.path + node, "output", rest, where);
    const Parts::Output& output = inside.parts->outputs[port];
    return withField(findSource(inside, output.source, output.where, depth + 1), rest);
  }

  /// "<tag>" or "<tag>.field": of this diagram, or of the nearest one around it.
  std::optional<FlatSource> sourceOfTag(Scope& scope, const std::string& text, const std::string& where, int depth) {
    const auto [name, field] = splitTag(text, where);
    std::vector<std::string> known;
    for (Scope* around = &scope; around != nullptr; around = around->parent)
      for (const Parts::Tag& tag : around->parts->tags) {
        if (tag.name == name) return withField(findSource(*around, tag.source, tag.where, depth + 1), field);
        known.push_back("<" + tag.name + ">");
      }
    throw Error(where, fmt::format("nothing was named '<{}>'", name),
                known.empty() ? fmt::format("name a signal: block.port -> <{}>", name)
                              : suggestOrList("<" + name + ">", known));
  }

  std::optional<FlatSource> sourceOfInput(Scope& scope, int input, const std::string& field, const std::string& where,
                                          int depth) {
    if (scope.parent == nullptr) return FlatSource{-1, input, field};
    const std::string full = scope.name + "." + scope.parts->inputs[input].port.name;
    const auto line = scope.parent->lines.find(full);
    if (line == scope.parent->lines.end()) return std::nullopt;
    return withField(findSource(*scope.parent, line->second->source, where, depth + 1), field);
  }

  static std::optional<FlatSource> withField(std::optional<FlatSource> source, const std::string& field) {
    if (source && !field.empty()) source->field += (source->field.empty() ? "" : ".") + field;
    return source;
  }

  Scope root_;
  FlatDiagram flat_;
  std::vector<Scope*> gate_scopes_;  ///< where the source of each gate is looked for
  std::vector<Error>* problems_;
};

}  // namespace

FlatDiagram flatten(const DiagramBuilder::Parts& root) { return Flattener(root).run(); }

FlatDiagram flatten(const DiagramBuilder::Parts& root, std::vector<Error>& problems) {
  return Flattener(root, &problems).run();
}

}  // namespace footfall
