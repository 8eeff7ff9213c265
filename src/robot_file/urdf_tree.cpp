#include "robot_file/urdf_tree.hpp"

#include <fmt/format.h>

#include <string_view>
#include <unordered_map>

#include "footfall/base/error.hpp"
#include "footfall/base/suggest.hpp"

namespace footfall {
namespace {

using NameMap = std::unordered_map<std::string_view, int>;

template <class Parts>
NameMap indexNames(const Parts& parts, const char* kind) {
  NameMap positions;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto [first, is_new] = positions.emplace(parts[i].name, static_cast<int>(i));
    if (is_new) continue;
    throw Error(parts[i].where, fmt::format("{} '{}' is defined twice", kind, parts[i].name),
                fmt::format("the first one is at {}", parts[first->second].where));
  }
  return positions;
}

std::vector<std::string> linkNames(const UrdfFile& file) {
  std::vector<std::string> names;
  for (const UrdfLink& link : file.links) names.push_back(link.name);
  return names;
}

int findLink(const UrdfFile& file, const NameMap& links, const UrdfJoint& joint, const char* role,
             const std::string& name) {
  const auto found = links.find(name);
  if (found != links.end()) return found->second;
  throw Error(joint.where, fmt::format("joint '{}': there is no link '{}', its {}", joint.name, name, role),
              suggestOrList(name, linkNames(file)));
}

/// Names on the way up from a link that has no root above it, until the way meets itself.
std::string describeCycle(const UrdfFile& file, const std::vector<int>& joint_above, const NameMap& links, int start) {
  std::vector<bool> seen(file.links.size(), false);
  int link = start;
  while (!seen[link]) {
    seen[link] = true;
    link = links.at(file.joints[joint_above[link]].parent);
  }
  std::string text = file.links[link].name;
  for (int next = links.at(file.joints[joint_above[link]].parent);;
       next = links.at(file.joints[joint_above[next]].parent)) {
    text = file.links[next].name + " → " + text;
    if (next == link) return text;
  }
}

int findRoot(const UrdfFile& file, const std::vector<int>& joint_above) {
  std::vector<int> roots;
  for (std::size_t link = 0; link < joint_above.size(); ++link)
    if (joint_above[link] < 0) roots.push_back(static_cast<int>(link));
  if (roots.empty()) return -1;
  if (roots.size() == 1) return roots[0];
  std::string names;
  for (const int root : roots) names += (names.empty() ? "'" : ", '") + file.links[root].name + "'";
  throw Error(file.links[roots[1]].where,
              fmt::format("{} links have no parent ({}), expected one root", roots.size(), names),
              "connect them by joints, or remove those that do not belong to the robot");
}

/// Links from the root downwards, parents first.
std::vector<int> linksFromRoot(const UrdfTree& tree) {
  std::vector<int> order;
  if (tree.root >= 0) order.push_back(tree.root);
  for (std::size_t i = 0; i < order.size(); ++i)
    for (const int joint : tree.joints_of_link[order[i]]) order.push_back(tree.child_of_joint[joint]);
  return order;
}

/// In SDF two joints that lead to one link close a loop; in a ring each link has one.
std::string howToCloseLoops(const UrdfFile& file) {
  if (!file.is_sdf) return "URDF describes trees; close loops in the scene file instead";
  return "a loop is closed by a second joint that leads to a link: swap <parent> and <child> of one of these joints, "
         "and "
         "write its <pose> with relative_to=\"the former child\"";
}

void checkNoCycle(const UrdfFile& file, const std::vector<int>& reached, const std::vector<int>& joint_above,
                  const NameMap& links) {
  std::vector<bool> is_reached(file.links.size(), false);
  for (const int link : reached) is_reached[link] = true;
  for (std::size_t link = 0; link < is_reached.size(); ++link) {
    if (is_reached[link]) continue;
    throw Error(
        file.links[link].where,
        fmt::format("the joints form a cycle: {}", describeCycle(file, joint_above, links, static_cast<int>(link))),
        howToCloseLoops(file));
  }
}

/// Later stages walk down the tree by recursion.
void checkDepth(const UrdfFile& file, const UrdfTree& tree, const std::vector<int>& from_root) {
  constexpr int kDeepest = 1000;
  std::vector<int> depth(file.links.size(), 0);
  for (const int link : from_root) {
    if (depth[link] > kDeepest)
      throw Error(file.links[link].where, fmt::format("link '{}' hangs at the end of a chain of more than {} joints",
                                                      file.links[link].name, kDeepest));
    for (const int joint : tree.joints_of_link[link]) depth[tree.child_of_joint[joint]] = depth[link] + 1;
  }
}

/// The joint above each link, -1 for roots.
std::vector<int> connect(const UrdfFile& file, const NameMap& links, UrdfTree& tree) {
  std::vector<int> joint_above(file.links.size(), -1);
  for (std::size_t j = 0; j < file.joints.size(); ++j) {
    const UrdfJoint& joint = file.joints[j];
    const int parent = findLink(file, links, joint, "parent", joint.parent);
    const int child = findLink(file, links, joint, "child", joint.child);
    if (joint_above[child] >= 0) {
      throw Error(joint.where,
                  fmt::format("link '{}' is the child of two joints, '{}' and '{}'", joint.child,
                              file.joints[joint_above[child]].name, joint.name),
                  howToCloseLoops(file));
    }
    joint_above[child] = static_cast<int>(j);
    tree.child_of_joint[j] = child;
    tree.joints_of_link[parent].push_back(static_cast<int>(j));
  }
  return joint_above;
}

}  // namespace

UrdfTree buildUrdfTree(const UrdfFile& file) {
  const NameMap links = indexNames(file.links, "link");
  indexNames(file.joints, "joint");
  UrdfTree tree;
  tree.child_of_joint.resize(file.joints.size());
  tree.joints_of_link.resize(file.links.size());
  const std::vector<int> joint_above = connect(file, links, tree);
  tree.root = findRoot(file, joint_above);
  const std::vector<int> order = linksFromRoot(tree);
  checkNoCycle(file, order, joint_above, links);
  checkDepth(file, tree, order);

  tree.carries_mass.resize(file.links.size());
  for (auto link = order.rbegin(); link != order.rend(); ++link) {
    bool carries = file.links[*link].inertia.mass > 0.0;
    for (const int joint : tree.joints_of_link[*link])
      carries = carries || tree.carries_mass[tree.child_of_joint[joint]];
    tree.carries_mass[*link] = carries;
  }
  return tree;
}

}  // namespace footfall
