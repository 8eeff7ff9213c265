#include "footfall/keys/internal/yaml_lines.hpp"

#include <fmt/format.h>

#include <set>

#include "footfall/base/error.hpp"
#include "footfall/base/internal/json_text.hpp"
#include "footfall/keys/internal/scene_value.hpp"

namespace footfall {
namespace {

class LineWriter {
 public:
  explicit LineWriter(const std::string& source) : source_(source) {}

  std::string write(const YAML::Node& node) const {
    const int line = node.Mark().line + 1;
    if (node.IsMap()) return fmt::format(R"({{"line": {}, "map": [{}]}})", line, entries(node));
    if (node.IsSequence()) return fmt::format(R"({{"line": {}, "list": [{}]}})", line, items(node));
    if (!node.IsScalar()) return fmt::format(R"({{"line": {}}})", line);
    const bool quoted = node.Tag() == "!";  // what yaml-cpp makes of "0.5" and '0.5'
    return fmt::format(R"({{"line": {}, "text": {}, "quoted": {}}})", line, quoteJson(node.Scalar()), quoted);
  }

 private:
  std::string items(const YAML::Node& list) const {
    std::string text;
    for (const auto& item : list) text += (text.empty() ? "" : ", ") + write(item);
    return text;
  }

  std::string entries(const YAML::Node& map) const {
    std::string text;
    std::set<std::string> seen;
    for (const auto& entry : map) {
      const std::string where = fmt::format("{}:{}", source_, entry.first.Mark().line + 1);
      if (!entry.first.IsScalar()) throw Error(where, "a key must be a text");
      const std::string key = entry.first.Scalar();
      if (!seen.insert(key).second) throw Error(where, key + " is given twice", "remove one of them");
      text += fmt::format("{}[{}, {}]", text.empty() ? "" : ", ", quoteJson(key), write(entry.second));
    }
    return text;
  }

  const std::string& source_;
};

}  // namespace

std::string yamlWithLines(const std::string& text, const std::string& source) {
  return LineWriter(source).write(parseSceneDocument(text, {source, {}}));
}

}  // namespace footfall
