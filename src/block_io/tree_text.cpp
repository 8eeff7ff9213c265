#include "block_io/tree_text.hpp"

namespace footfall {

std::string textOf(const SceneTree& tree) {
  std::string inside;
  switch (tree.kind) {
    case SceneTree::Kind::none:
      return "";
    case SceneTree::Kind::text:
      return tree.text;
    case SceneTree::Kind::list:
      for (const SceneTree& item : tree.items) inside += (inside.empty() ? "" : ", ") + textOf(item);
      return "[" + inside + "]";
    case SceneTree::Kind::map:
      for (const auto& [key, entry] : tree.entries) inside += (inside.empty() ? "" : ", ") + key + ": " + textOf(entry);
      return "{" + inside + "}";
  }
  return "";
}

}  // namespace footfall
