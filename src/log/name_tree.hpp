#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace footfall {

/// Names with dots as a tree: `l_sole.force` is `force` in `l_sole`. Formats that want identifiers get some.
struct NameTree {
  std::string name;        ///< the part between dots; empty: the root
  std::string identifier;  ///< the same in letters, digits and underscores, unlike its neighbours
  int leaf = -1;           ///< number of what has this name; −1: there are further parts
  std::vector<std::unique_ptr<NameTree>> children;

  /// Names with very many dots stay one piece behind the first of them: a tree must not be deeper than a stack.
  void add(const std::string& dotted_name, int number);

 private:
  NameTree& addChild(const std::string& part);

  // By name, because a log may have a hundred thousand channels.
  std::unordered_map<std::string, NameTree*> branches_;  ///< children that have children
  std::unordered_set<std::string> taken_;                ///< identifiers of the children
  std::unordered_map<std::string, int> repeats_;         ///< how often an identifier was wanted again
};

/// Letters, digits and underscores; what else there is becomes an underscore.
std::string identifierOf(const std::string& name);

}  // namespace footfall
