#include <fmt/format.h>

#include "block/flat_diagram.hpp"
#include "footfall/base/error.hpp"

namespace footfall {

const DiagramBuilder::Parts::Node* DiagramBuilder::Parts::find(const std::string& name) const {
  for (const Node& node : nodes)
    if (node.name == name) return &node;
  return nullptr;
}

DiagramBuilder::Parts::Node& DiagramBuilder::Parts::require(const std::string& name) {
  for (Node& node : nodes)
    if (node.name == name) return node;
  throw Error("", fmt::format("there is no block '{}' in the diagram", name));
}

const std::vector<std::pair<std::string, RunCondition::Kind>>& RunCondition::words() {
  static const std::vector<std::pair<std::string, Kind>> words = {{"is", Kind::is_true},
                                                                  {"not", Kind::is_false},
                                                                  {"rises", Kind::rises},
                                                                  {"falls", Kind::falls},
                                                                  {"changes", Kind::changes}};
  return words;
}

std::optional<RunCondition::Kind> RunCondition::kindOf(const std::string& word) {
  for (const auto& [name, kind] : words())
    if (name == word) return kind;
  return std::nullopt;
}

std::string RunCondition::describe() const {
  if (kind == Kind::is_true) return "when " + source;
  if (kind == Kind::is_false) return "when not " + source;
  for (const auto& [word, of] : words())
    if (of == kind) return fmt::format("when {} {}", source, word);
  return "";
}

namespace {

void checkName(const DiagramBuilder::Parts& parts, const std::string& name, const std::string& where) {
  if (name.empty() || name.find_first_of(". ") != std::string::npos)
    throw Error(where, fmt::format("'{}' cannot be a name in a diagram", name), "names have no dots and no spaces");
  bool taken = parts.find(name) != nullptr;
  for (const auto& input : parts.inputs) taken = taken || input.port.name == name;
  if (taken) throw Error(where, fmt::format("the name '{}' is given twice in the diagram", name));
}

/// `block.port -> <name>`
void nameSignal(DiagramBuilder::Parts& parts, const std::string& source, const std::string& tag, std::string where) {
  if (tag.size() < 3 || tag.back() != '>' || tag.find_first_of("<>. ", 1) != tag.size() - 1)
    throw Error(where, fmt::format("'{}' cannot be the name of a signal, expected <name>", tag),
                "names have no dots and no spaces");
  const std::string name = tag.substr(1, tag.size() - 2);
  for (const auto& other : parts.tags)
    if (other.name == name)
      throw Error(where, fmt::format("two signals are named '<{}>': '{}' and '{}'", name, other.source, source));
  parts.tags.push_back({name, source, std::move(where)});
}

/// The keys `sample` and `offset` that every block understands.
std::optional<SampleTime> sampleTimeOf(const Parameters& parameters) {
  if (!parameters.has("sample")) return std::nullopt;
  const auto* text = std::get_if<std::string>(&parameters.value("sample").value);
  if (text != nullptr && *text == "continuous") return SampleTime::continuous();
  if (text != nullptr && *text == "inherited") return SampleTime::inherited();
  const double period = parameters.number("sample", Quantity::time);
  const double offset = parameters.number("offset", 0.0, Quantity::time);
  if (!(period > 0.0)) throw parameters.error("sample", fmt::format("is {} s, expected a time above zero", period));
  if (!(offset >= 0.0 && offset < period))
    throw parameters.error("offset",
                           fmt::format("is {} s, expected 0 or more and less than the period {} s", offset, period));
  return SampleTime::discrete(period, offset);
}

}  // namespace

DiagramBuilder::DiagramBuilder() : parts_(std::make_unique<Parts>()) {}
DiagramBuilder::~DiagramBuilder() = default;
DiagramBuilder::DiagramBuilder(DiagramBuilder&&) noexcept = default;
DiagramBuilder& DiagramBuilder::operator=(DiagramBuilder&&) noexcept = default;

void DiagramBuilder::add(const std::string& name, std::shared_ptr<const Block> block, std::string kind,
                         std::string where) {
  checkName(*parts_, name, where);
  parts_->nodes.push_back(
      {name, std::move(kind), std::move(where), std::move(block), nullptr, std::nullopt, std::nullopt});
}

void DiagramBuilder::add(const std::string& name, DiagramBuilder inside, std::string kind, std::string where) {
  checkName(*parts_, name, where);
  parts_->nodes.push_back({name, std::move(kind), std::move(where), nullptr,
                           std::make_shared<const DiagramBuilder>(std::move(inside)), std::nullopt, std::nullopt});
}

void DiagramBuilder::add(const std::string& name, const BlockRegistry& registry, const std::string& kind_name,
                         Parameters parameters) {
  const BlockRegistry::Kind& kind = registry.get(kind_name, parameters.where);
  if (parameters.block.empty()) parameters.block = fmt::format("'{}' ({})", name, kind_name);
  registry.checkParameters(kind, parameters);
  const std::optional<SampleTime> sample_time = sampleTimeOf(parameters);
  if (kind.make) {
    add(name, std::shared_ptr<const Block>(kind.make(parameters)), kind_name, parameters.where);
  } else {
    DiagramBuilder inside;
    kind.fill(parameters, inside);
    add(name, std::move(inside), kind_name, parameters.where);
  }
  parts_->nodes.back().sample_time = sample_time;
}

void DiagramBuilder::setSampleTime(const std::string& name, SampleTime sample_time) {
  parts_->require(name).sample_time = sample_time;
}

void DiagramBuilder::setCondition(const std::string& name, RunCondition condition) {
  auto& block = parts_->require(name);
  if (block.condition)
    throw Error(condition.where, fmt::format("block '{}' has two conditions for when it runs", name),
                "an And or an Or of both is one signal");
  block.condition = std::move(condition);
}

void DiagramBuilder::input(const std::string& name, SignalType type, std::string where) {
  checkName(*parts_, name, where);
  parts_->inputs.push_back({{name, std::move(type)}, std::move(where)});
}

void DiagramBuilder::output(const std::string& name, const std::string& source, std::string where) {
  for (const Parts::Output& output : parts_->outputs)
    if (output.name == name) throw Error(where, fmt::format("the diagram has two outputs '{}'", name));
  parts_->outputs.push_back({name, source, std::move(where)});
}

void DiagramBuilder::connect(const std::string& source, const std::string& input, std::string where) {
  if (input.starts_with('<')) return nameSignal(*parts_, source, input, std::move(where));
  parts_->connections.push_back({source, input, std::move(where)});
}

}  // namespace footfall
