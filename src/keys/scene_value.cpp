#include "footfall/keys/internal/scene_value.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <stdexcept>

#include "footfall/base/text_number.hpp"

namespace footfall {
namespace {

std::string overrideText(const SceneOverride& change) { return "--set " + change.first + "=" + change.second; }

/// Is `inner` the same path as `outer` or below it?
bool isWithin(const std::string& inner, const std::string& outer) {
  return inner == outer || inner.rfind(outer + ".", 0) == 0;
}

std::string join(const std::string& path, const std::string& key) { return path.empty() ? key : path + "." + key; }

/// Counts the values of a document with every alias written out, until there are too many. An alias stands for what it
/// names each time it is met: a few lines of aliases of aliases are billions of values, and one inside of itself has no
/// end.
class ValueCount {
 public:
  ValueCount(const SceneSource& source, std::size_t most) : source_(source), left_(most) {}

  void add(const YAML::Node& node, int depth = 0) {
    constexpr int kDeepest = 100;
    if (depth > kDeepest)
      throw Error(source_.where("", node.Mark()), fmt::format("values lie more than {} deep in each other", kDeepest));
    if (left_-- == 0)
      throw Error(source_.where("", node.Mark()), "aliases (*name) make far more values than the file has letters");
    if (node.IsSequence())
      for (const auto& item : node) add(item, depth + 1);
    if (!node.IsMap()) return;
    for (const auto& entry : node) {
      add(entry.first, depth + 1);
      add(entry.second, depth + 1);
    }
  }

 private:
  const SceneSource& source_;
  std::size_t left_;
};

YAML::Node parseYaml(const std::string& text, const SceneSource& source, const std::string& path) {
  constexpr std::size_t kFree = 10'000;  // values that aliases may add to any file
  try {
    const YAML::Node document = YAML::Load(text);
    ValueCount(source, kFree + 2 * text.size()).add(document);
    return document;
  } catch (const YAML::Exception& problem) {
    throw Error(source.where(path, problem.mark), "this is not YAML: " + problem.msg);
  }
}

/// A list entry by its number, a map entry by its name; an entry that a map does not have yet is made.
YAML::Node entryOf(YAML::Node node, const std::string& key, const std::string& where) {
  if (node.IsSequence()) {
    const auto index = parseNumber(key);
    if (!index || *index < 0 || *index >= static_cast<double>(node.size()) || *index != static_cast<int>(*index))
      throw Error(where, fmt::format("'{}' is not the number of an entry, expected 0 to {}", key, node.size() - 1.0));
    return node[static_cast<std::size_t>(*index)];
  }
  if (node.IsScalar()) throw Error(where, fmt::format("there is nothing called '{}' inside of a single value", key));
  return node[key];
}

/// A diagram may be the name of its file: what is inside is changed when that file is read.
bool namesADiagram(const YAML::Node& node, const std::string& path) {
  return node.IsScalar() && (path == "diagram" || path.find("subdiagrams.") != std::string::npos);
}

/// `controller: PID` is short for `controller: {block: PID}`, which has room for parameters.
void makeRoomForParameters(YAML::Node node, const std::string& path) {
  const std::string section = path.substr(0, std::min(path.rfind('.'), path.size()));
  if (!node.IsScalar() || !(section == "blocks" || section.ends_with(".blocks"))) return;
  YAML::Node block;
  block["block"] = node.Scalar();
  node = block;
}

void applyOverride(YAML::Node node, const SceneSource& source, const SceneOverride& change) {
  const std::string where = overrideText(change);
  std::size_t begin = 0;
  for (std::size_t dot; (dot = change.first.find('.', begin)) != std::string::npos; begin = dot + 1) {
    node.reset(entryOf(node, change.first.substr(begin, dot - begin), where));
    if (namesADiagram(node, change.first.substr(0, dot))) return;
    makeRoomForParameters(node, change.first.substr(0, dot));
  }
  entryOf(node, change.first.substr(begin), where) = parseYaml(change.second, source, change.first);
}

}  // namespace

std::string SceneSource::where(const std::string& path, const YAML::Mark& mark) const {
  for (auto change = overrides.rbegin(); change != overrides.rend(); ++change) {
    const bool made_by_it = mark.is_null() && isWithin(change->first, path);
    if (isWithin(path, change->first) || made_by_it) return overrideText(*change);
  }
  return mark.is_null() ? name : fmt::format("{}:{}", name, mark.line + 1);
}

SceneValue::SceneValue(const SceneSource& source, const YAML::Node& node, std::string path)
    : source_(&source), node_(node), path_(std::move(path)) {}

std::string SceneValue::found() const {
  if (node_.IsScalar()) return fmt::format("'{}'", node_.Scalar());
  if (node_.IsSequence()) return "a list";
  return node_.IsMap() ? "a map" : "nothing";
}

std::string SceneValue::text() const {
  if (!node_.IsScalar() || node_.Scalar().empty()) throw error(fmt::format("is {}, expected a text", found()));
  return node_.Scalar();
}

bool SceneValue::flag() const {
  if (node_.IsScalar() && node_.Scalar() == "true") return true;
  if (node_.IsScalar() && node_.Scalar() == "false") return false;
  throw error(fmt::format("is {}, expected true or false", found()));
}

double SceneValue::number(Quantity quantity) const {
  if (!node_.IsScalar()) throw error(fmt::format("is {}, expected {}", found(), describe(quantity)));
  try {
    return parseQuantity(node_.Scalar(), quantity);
  } catch (const std::invalid_argument& problem) {
    throw error(std::string("is ") + problem.what());
  }
}

std::vector<SceneValue> SceneValue::items() const {
  if (!node_.IsSequence()) throw error(fmt::format("is {}, expected a list: [a, b, …]", found()));
  std::vector<SceneValue> values;
  for (std::size_t i = 0; i < node_.size(); ++i)
    values.emplace_back(*source_, node_[i], join(path_, std::to_string(i)));
  return values;
}

std::vector<std::pair<std::string, SceneValue>> SceneValue::entries() const {
  if (empty()) return {};
  if (!node_.IsMap()) throw error(fmt::format("is {}, expected a map: {{key: value, …}}", found()));
  std::vector<std::pair<std::string, SceneValue>> values;
  std::set<std::string> seen;
  for (const auto& entry : node_) {
    if (!entry.first.IsScalar()) throw error("a key must be a text");
    const std::string key = entry.first.Scalar();
    if (!seen.insert(key).second) throw keyError(key, "is given twice", "remove one of them");
    values.emplace_back(key, SceneValue(*source_, entry.second, join(path_, key)));
  }
  return values;
}

std::vector<SceneOverride> SceneValue::overridesInside() const {
  std::vector<SceneOverride> inside;
  for (const auto& [path, value] : source_->overrides)
    if (path != path_ && isWithin(path, path_)) inside.emplace_back(path.substr(path_.size() + 1), value);
  return inside;
}

Error SceneValue::error(const std::string& what, const std::string& hint) const {
  return Error(where(), (path_.empty() ? "the scene" : path_) + " " + what, hint);
}

Error SceneValue::keyError(const std::string& key, const std::string& what, const std::string& hint) const {
  const std::string path = join(path_, key);
  YAML::Mark mark = node_.Mark();
  for (const auto& entry : node_)
    if (entry.first.IsScalar() && entry.first.Scalar() == key) mark = entry.first.Mark();
  return Error(source_->where(path, mark), path + " " + what, hint);
}

YAML::Node parseSceneDocument(const std::string& text, const SceneSource& source) {
  YAML::Node document = parseYaml(text, source, "");
  for (const SceneOverride& change : source.overrides) applyOverride(document, source, change);
  return document;
}

}  // namespace footfall
