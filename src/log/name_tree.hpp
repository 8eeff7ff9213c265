#pragma once

#include <memory>
#include <string>
#include <vector>

namespace footfall {

/// Names with dots as a tree: `l_sole.force` is `force` in `l_sole`. Formats that want identifiers get some.
struct NameTree {
  std::string name;        ///< the part between dots; empty: the root
  std::string identifier;  ///< the same in letters, digits and underscores, unlike its neighbours
  int leaf = -1;           ///< number of what has this name; −1: there are further parts
  std::vector<std::unique_ptr<NameTree>> children;

  void add(const std::string& dotted_name, int number);
};

/// Letters, digits and underscores; what else there is becomes an underscore.
std::string identifierOf(const std::string& name);

}  // namespace footfall
