#include "footfall/block_io/diagram_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "block_io/bindings.hpp"
#include "block_io/tree_text.hpp"
#include "footfall/base/error.hpp"
#include "footfall/base/suggest.hpp"
#include "footfall/block_io/internal/connection_text.hpp"

namespace footfall {
namespace {

double readTime(const ParameterValue& value, const std::string& what) {
  if (const auto* number = std::get_if<double>(&value.value)) return *number;
  try {
    if (const auto* text = std::get_if<std::string>(&value.value)) return parseQuantity(*text, Quantity::time);
  } catch (const std::invalid_argument& problem) {
    throw Error(value.where, fmt::format("{} is {}", what, problem.what()));
  }
  throw Error(value.where, fmt::format("{} is not a time", what), "sample: 10 ms");
}

SampleTime readSampleTime(const ParameterValue& value) {
  if (const auto* text = std::get_if<std::string>(&value.value)) {
    if (*text == "continuous") return SampleTime::continuous();
    if (*text == "inherited") return SampleTime::inherited();
    if (*text == "constant") return SampleTime::constant();
  }
  const auto* map = std::get_if<ParameterValue::Map>(&value.value);
  if (map == nullptr) return SampleTime::discrete(readTime(value, "sample"));
  double period = 0.0, offset = 0.0;
  for (const auto& [key, entry] : *map) {
    if (key != "period" && key != "offset")
      throw Error(entry.where, fmt::format("sample.{} is not a known key", key),
                  suggestOrList(key, {"period", "offset"}));
    (key == "period" ? period : offset) = readTime(entry, "sample." + key);
  }
  return SampleTime::discrete(period, offset);
}

int readSize(const ParameterValue& value) {
  const auto* number = std::get_if<double>(&value.value);
  constexpr int kLargest = 1'000'000;
  if (number != nullptr && *number >= 0.0 && *number <= kLargest && *number == std::floor(*number))
    return static_cast<int>(*number);
  throw Error(value.where, fmt::format("size is not a whole number from 0 to {}", kLargest));
}

SignalType readType(const SceneDiagramPort& port, const Bindings& bindings) {
  std::vector<int> sizes;
  if (port.size.given()) {
    const ParameterValue size = bindings.evaluate(port.size);
    if (const auto* list = std::get_if<ParameterValue::List>(&size.value))
      for (const ParameterValue& item : *list) sizes.push_back(readSize(item));
    else
      sizes.push_back(readSize(size));
  }
  sizes.resize(2, -1);
  const std::string unit = bindings.fill(port.unit, port.where);
  if (port.type == "scalar") return SignalType::scalar(unit);
  if (port.type == "vector" || (port.type.empty() && port.size.given() && sizes[1] < 0))
    return SignalType::vector(sizes[0], unit);
  if (port.type == "matrix" || (port.type.empty() && port.size.given()))
    return SignalType::matrix(sizes[0], sizes[1], unit);
  if (port.type == "pose") return SignalType::pose();
  if (port.type == "boolean") return SignalType::boolean();
  return SignalType::any(unit);
}

bool readFlag(const ParameterValue& value, const std::string& key) {
  if (const auto* flag = std::get_if<bool>(&value.value)) return *flag;
  throw Error(value.where, fmt::format("when.{} is neither true nor false", key));
}

const std::string& readSignal(const ParameterValue& value) {
  if (const auto* text = std::get_if<std::string>(&value.value); text != nullptr && !text->empty()) return *text;
  throw Error(value.where, "`when` does not name a signal", "when: block.port, or {rises: block.port}");
}

/// `contact.out`, `not contact.out`, or {rises: contact.out, restart: true}.
RunCondition readCondition(const ParameterValue& value) {
  RunCondition condition;
  condition.where = value.where;
  const auto* map = std::get_if<ParameterValue::Map>(&value.value);
  if (map == nullptr) {
    condition.source = readSignal(value);
    if (condition.source.starts_with("not ")) {
      condition.kind = RunCondition::Kind::is_false;
      condition.source.erase(0, condition.source.find_first_not_of(' ', 4));
    }
    return condition;
  }
  for (const auto& [key, entry] : *map) {
    if (const std::optional<RunCondition::Kind> kind = RunCondition::kindOf(key)) {
      if (!condition.source.empty())
        throw Error(entry.where, "`when` names two signals", "an And or an Or of both is one signal");
      condition.kind = *kind;
      condition.source = readSignal(entry);
    } else if (key == "restart") {
      condition.restart = readFlag(entry, key);
    } else if (key == "clear") {
      condition.clear = readFlag(entry, key);
    } else {
      std::vector<std::string> known = {"restart", "clear"};
      for (const auto& [word, of] : RunCondition::words()) known.push_back(word);
      throw Error(entry.where, fmt::format("when.{} is not a known key", key), suggestOrList(key, known));
    }
  }
  if (condition.source.empty()) throw Error(value.where, "`when` does not name a signal", "when: {rises: block.port}");
  return condition;
}

BlockDescription describe(const SceneDiagram& text) {
  BlockDescription description;
  description.name = text.name;
  description.category = "sub-diagrams";
  description.summary = text.about;
  for (const SceneDiagramParameter& parameter : text.parameters)
    description.parameters.push_back(
        {parameter.name, parameter.help, textOf(parameter.fallback), parameter.unit, !parameter.fallback.given()});
  for (const SceneDiagramPort& port : text.inputs) description.inputs.push_back({port.name, port.help});
  for (const SceneDiagramPort& port : text.outputs) description.outputs.push_back({port.name, port.help});
  return description;
}

class Reader {
 public:
  /// @param problems are noted there, and what is concerned is left out; null: they are thrown
  explicit Reader(std::shared_ptr<const Environment> environment, std::vector<Error>* problems = nullptr)
      : environment_(std::move(environment)), problems_(problems) {}

  void fill(const SceneDiagram& text, const BlockRegistry& outer, const Parameters& parameters,
            DiagramBuilder& builder) {
    BlockRegistry registry = outer;
    for (const SceneDiagram& inside : text.subdiagrams) attempt([&] { addKind(inside, registry); });
    const Bindings bindings = bind(text, parameters);
    bindings.countPart(text.where);
    const auto each = [&](const SceneRepeats& repeats, const auto& add) {
      attempt([&] { bindings.forEach(repeats, [&](const Bindings& b) { attempt([&] { add(b); }); }); });
    };
    Names missing;
    for (const SceneDiagramPort& port : text.inputs)
      each(port.repeats,
           [&](const Bindings& b) { builder.input(b.fill(port.name, port.where), readType(port, b), port.where); });
    for (const SceneBlock& block : text.blocks)
      each(block.repeats, [&](const Bindings& b) {
        missing.push_back(b.fill(block.name, block.where));
        addBlock(block, registry, b, builder);
        missing.pop_back();
      });
    for (const SceneConnection& connection : text.connections)
      each(connection.repeats, [&](const Bindings& b) {
        for (const auto& [source, input] : splitConnection(b.fill(connection.text, connection.where), connection.where))
          if (!contains(missing, source) && !contains(missing, input)) builder.connect(source, input, connection.where);
      });
    for (const SceneDiagramPort& port : text.outputs)
      each(port.repeats, [&](const Bindings& b) {
        const std::string source = b.fill(port.source, port.where);
        if (!contains(missing, source)) builder.output(b.fill(port.name, port.where), source, port.where);
      });
  }

 private:
  using Names = std::vector<std::string>;

  /// Is it one of these blocks, or a port of one?
  static bool contains(const Names& blocks, const std::string& path) {
    return std::find(blocks.begin(), blocks.end(), path.substr(0, path.find('.'))) != blocks.end();
  }

  /// Notes what goes wrong, if there is a list for it.
  template <class Action>
  void attempt(const Action& action) {
    if (problems_ == nullptr) return action();
    try {
      action();
    } catch (const Error& problem) {
      problems_->push_back(problem);
    }
  }

  /// A sub-diagram of the file becomes a kind of block. The registry lives as long as the reading.
  void addKind(const SceneDiagram& inside, BlockRegistry& registry) {
    if (registry.find(inside.name) != nullptr)
      throw Error(inside.where, fmt::format("there is a block '{}' already", inside.name),
                  "give the sub-diagram another name");
    registry.addSubdiagram(describe(inside), [this, &inside, &registry](const Parameters& p, DiagramBuilder& b) {
      if (std::find(open_.begin(), open_.end(), &inside) != open_.end())
        throw Error(p.where, fmt::format("the sub-diagram '{}' contains itself: {}", inside.name, openKinds(inside)));
      open_.push_back(&inside);
      try {
        fill(inside, registry, p, b);
      } catch (const Error&) {
        open_.pop_back();
        throw;
      }
      open_.pop_back();
    });
  }

  std::string openKinds(const SceneDiagram& last) const {
    std::string chain;
    for (const SceneDiagram* kind : open_) chain += kind->name + " -> ";
    return chain + last.name;
  }

  Bindings bind(const SceneDiagram& text, const Parameters& parameters) const {
    Bindings bindings = empty_;
    std::vector<std::string> known;
    for (const SceneDiagramParameter& parameter : text.parameters) {
      known.push_back(parameter.name);
      if (parameters.has(parameter.name))
        bindings.set(parameter.name, parameters.value(parameter.name));
      else if (parameter.fallback.given())
        bindings.set(parameter.name, bindings.evaluate(parameter.fallback));
      else
        throw Error(parameter.where, fmt::format("the parameter '{}' has no value", parameter.name), parameter.help);
    }
    for (const std::string& name : parameters.names())
      if (std::find(known.begin(), known.end(), name) == known.end())
        throw Error(parameters.value(name).where, fmt::format("the diagram has no parameter '{}'", name),
                    suggestOrList(name, known));
    return bindings;
  }

  void addBlock(const SceneBlock& block, const BlockRegistry& registry, const Bindings& bindings,
                DiagramBuilder& builder) {
    const std::string name = bindings.fill(block.name, block.where), kind_name = bindings.fill(block.kind, block.where);
    const BlockRegistry::Kind& kind = registry.get(kind_name, block.where);
    Parameters parameters;
    parameters.block = fmt::format("{}{} ({})", path_, name, kind_name);
    parameters.where = block.where;
    parameters.environment = environment_;
    for (const auto& [key, tree] : block.parameters)
      if (tree.given()) parameters.set(key, bindings.evaluate(tree));
    const bool own_sample = std::any_of(kind.description.parameters.begin(), kind.description.parameters.end(),
                                        [](const ParameterDescription& p) { return p.name == "sample"; });
    if (block.sample.given() && own_sample) parameters.set("sample", bindings.evaluate(block.sample));
    if (kind.make) {
      builder.add(name, registry.make(kind_name, parameters), kind_name, block.where);
      if (block.sample.given() && !own_sample)
        builder.setSampleTime(name, readSampleTime(bindings.evaluate(block.sample)));
      if (block.when.given()) builder.setCondition(name, readCondition(bindings.evaluate(block.when)));
      return;
    }
    if (block.sample.given() && !own_sample)
      throw Error(block.sample.where, fmt::format("'{}' is a sub-diagram: its blocks have sample times, not it", name));
    addSubdiagram(name, kind, parameters, registry, builder);
    if (block.when.given()) builder.setCondition(name, readCondition(bindings.evaluate(block.when)));
  }

  void addSubdiagram(const std::string& name, const BlockRegistry::Kind& kind, const Parameters& parameters,
                     const BlockRegistry& registry, DiagramBuilder& builder) {
    registry.checkParameters(kind, parameters);
    const std::string outer = path_;
    path_ += name + ".";
    DiagramBuilder inside;
    try {
      kind.fill(parameters, inside);
    } catch (const Error&) {
      path_ = outer;
      throw;
    }
    path_ = outer;
    builder.add(name, std::move(inside), kind.description.name, parameters.where);
  }

  std::shared_ptr<const Environment> environment_;
  std::vector<Error>* problems_;
  std::string path_;                       ///< of the sub-diagram that is being filled: "legs.left."
  std::vector<const SceneDiagram*> open_;  ///< that are being filled
  const Bindings empty_;                   ///< its copies count how large the whole becomes
};

}  // namespace

DiagramBuilder readDiagram(const SceneDiagram& text, const BlockRegistry& registry,
                           std::shared_ptr<const Environment> environment, const Parameters& parameters) {
  DiagramBuilder builder;
  Reader(std::move(environment)).fill(text, registry, parameters, builder);
  return builder;
}

DiagramReview reviewDiagram(const SceneDiagram& text, const BlockRegistry& registry,
                            std::shared_ptr<const Environment> environment) {
  std::vector<Error> problems;
  DiagramBuilder builder;
  Reader reader(std::move(environment), &problems);
  try {
    reader.fill(text, registry, {}, builder);
  } catch (const Error& problem) {
    problems.push_back(problem);
  }
  DiagramReview review = reviewDiagram(builder);
  review.problems.insert(review.problems.begin(), problems.begin(), problems.end());
  return review;
}

DiagramSettings diagramSettings(const SceneDiagram& text, double default_step) {
  DiagramSettings settings;
  settings.step = text.step > 0.0 ? text.step : default_step;
  if (!text.solver.empty()) settings.solver = text.solver;
  if (text.tolerance > 0.0) settings.tolerance = text.tolerance;
  settings.solve_loops = text.algebraic_loops == "solve";
  return settings;
}

}  // namespace footfall
