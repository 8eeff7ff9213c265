#pragma once

#include <yaml-cpp/yaml.h>

#include <string>
#include <vector>

#include "footfall/base/error.hpp"
#include "footfall/base/units.hpp"
#include "footfall/keys/scene_override.hpp"

namespace footfall {

/// The text that a scene comes from, and the changes that were made to it on the command line.
struct SceneSource {
  std::string name;
  std::vector<SceneOverride> overrides;

  /// "scene.yaml:12", or "--set physics.step=-1" for a value that came from there.
  std::string where(const std::string& path, const YAML::Mark& mark) const;
};

/// A value of a scene file that knows its place in it: reading it wrongly gives an error that says where.
class SceneValue {
 public:
  SceneValue(const SceneSource& source, const YAML::Node& node, std::string path);

  const std::string& path() const { return path_; }  ///< "ground.friction"
  std::string where() const { return source_->where(path_, node_.Mark()); }
  bool empty() const { return !node_.IsDefined() || node_.IsNull(); }

  const std::string& source() const { return source_->name; }  ///< of the file
  /// Changes to what is inside of this value, for the file that it names: without the path of the value.
  std::vector<SceneOverride> overridesInside() const;

  bool isText() const { return node_.IsScalar(); }
  bool isList() const { return node_.IsSequence(); }
  bool isMap() const { return node_.IsMap(); }
  bool has(const std::string& key) const { return node_.IsMap() && node_[key].IsDefined(); }
  bool isQuoted() const { return node_.Tag() == "!"; }
  std::string text() const;
  std::string quotedText() const { return node_.Scalar(); }  ///< may be empty
  bool flag() const;
  double number(Quantity quantity) const;
  std::vector<SceneValue> items() const;
  std::vector<std::pair<std::string, SceneValue>> entries() const;  ///< of a map; refuses a key that comes twice

  Error error(const std::string& what, const std::string& hint = {}) const;
  /// For an entry of this map: errors about its key, not its value.
  Error keyError(const std::string& key, const std::string& what, const std::string& hint) const;

 private:
  std::string found() const;  ///< what is there, for errors: "'abc'", "a list", "a map"

  const SceneSource* source_;
  YAML::Node node_;
  std::string path_;
};

/// The document with the overrides put in; `name` is what errors call the text.
YAML::Node parseSceneDocument(const std::string& text, const SceneSource& source);

}  // namespace footfall
