#include "footfall/keys/internal/scene_value.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <stdexcept>
#include <string_view>

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

/// People hand other files of theirs to what wants a scene, a robot's first of all: they are told what it is, and not
/// what a reader of YAML makes of its bytes.
void refuseOtherFiles(std::string_view text, const SceneSource& source) {
  constexpr std::string_view kMark = "\xEF\xBB\xBF";
  if (text.starts_with("\x89MCAP"))
    throw Error(source.name, "this is a log, expected YAML",
                "`footfall view FILE` shows it, `footfall info FILE` tells what is in it");
  const bool wide = text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF");  // UTF-16, which YAML may be
  const std::string_view begin = text.substr(0, 4096);
  if (!wide && std::any_of(begin.begin(), begin.end(), [](char c) { return c >= 0 && c < '\t'; }))
    throw Error(source.name, "this is no text, expected YAML", "`footfall init my.yaml` writes a scene to start from");
  if (text.starts_with(kMark)) text.remove_prefix(kMark.size());
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
  if (text.size() > 1 && text[0] == '<' &&
      (text[1] == '?' || text[1] == '!' || std::isalpha(static_cast<unsigned char>(text[1])) != 0))
    throw Error(
        source.name, "this is XML, expected YAML",
        "the file of a robot is named by a scene, robot: {model: FILE}: `footfall init my.yaml` writes one to start "
        "from, `footfall inspect FILE` tells what is in a robot's");
}

/// What YAML takes for indentation is spaces alone, and no editor shows the difference.
std::string hintOfTabs(std::string_view text, int line) {
  for (; line > 0 && !text.empty(); --line) text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
  const std::string_view indent = text.substr(0, text.find_first_not_of(" \t"));
  return indent.find('\t') == std::string_view::npos ? "" : "a tab stands before it: indent with spaces";
}

YAML::Node parseYaml(const std::string& text, const SceneSource& source, const std::string& path) {
  constexpr std::size_t kFree = 10'000;  // values that aliases may add to any file
  try {
    const YAML::Node document = YAML::Load(text);
    ValueCount(source, kFree + 2 * text.size()).add(document);
    return document;
  } catch (const YAML::Exception& problem) {
    throw Error(source.where(path, problem.mark), "this is not YAML: " + problem.msg,
                hintOfTabs(text, problem.mark.line));
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
  if (!node.IsMap() && parseNumber(key))
    throw Error(where, fmt::format("there is no list whose entry {} could be changed: the scene does not have it", key),
                "give the scene the whole list, or change all of it: [a, b, …]");
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

/// A line is enough to see what it is: a whole file may be one value.
std::string beginningOf(const std::string& text) {
  constexpr std::size_t kMost = 80;
  std::size_t end = std::min(text.find('\n'), text.size());
  if (end > kMost)
    for (end = kMost; end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0u) == 0x80u; --end)
      continue;  // whole letters
  return end < text.size() ? text.substr(0, end) + "…" : text;
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
  if (node_.IsScalar()) return fmt::format("'{}'", beginningOf(node_.Scalar()));
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
  refuseOtherFiles(text, source);
  YAML::Node document = parseYaml(text, source, "");
  for (const SceneOverride& change : source.overrides) applyOverride(document, source, change);
  return document;
}

}  // namespace footfall
