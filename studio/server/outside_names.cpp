#include "studio/server/outside_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "footfall/diagram_file/diagram_text.hpp"
#include "studio/server/refused.hpp"

namespace footfall::studio {
namespace {

constexpr const char* kHint = "`footfall view --allow-files` lets the page name files and plug-ins";

/// What is built in, where a plug-in can be named.
bool isBuiltIn(const SceneTree& value) {
  static constexpr std::array names = {"native",         "rigid",        "gauss",
                                       "compliant",      "second_order", "semi_implicit_euler",
                                       "explicit_euler", "rk4",          "midpoint"};
  return value.kind == SceneTree::Kind::text && std::find(names.begin(), names.end(), value.text) != names.end();
}

const BlockRegistry::Kind* listed(const std::string& name, const BlockRegistry& registry) {
  for (const BlockRegistry::Kind* kind : registry.kinds())
    if (kind->description.name == name) return kind;
  return nullptr;
}

/// A kind whose name is not known before the diagram is put together, or that is asked for elsewhere:
/// python:module.Class.
bool isOpenName(const std::string& name) { return name.find_first_of("$:") != std::string::npos; }

bool isOutside(const SceneBlock& block, const BlockRegistry& registry) {
  if (isOpenName(block.kind)) return true;
  const BlockRegistry::Kind* kind = listed(block.kind, registry);
  if (kind == nullptr) return false;  // a sub-diagram of the document, or nothing at all
  if (!kind->from.empty()) return true;
  for (const ParameterDescription& parameter : kind->description.parameters)
    for (const auto& [name, value] : block.parameters)
      if (name == parameter.name && !parameter.names.empty() && !(parameter.names == "plug-in" && isBuiltIn(value)))
        return true;
  return false;
}

/// The same kind with the same parameters, none of which stands for something else.
bool isSame(const SceneBlock& a, const SceneBlock& b) {
  const auto textOf = [](const SceneBlock& block) {
    std::string text = block.kind;
    for (const auto& [name, value] : block.parameters) text += fmt::format("\n{}: {}", name, treeText(value));
    return text;
  };
  const std::string text = textOf(a);
  return text == textOf(b) && text.find('$') == std::string::npos;
}

bool has(const SceneDiagram& diagram, const SceneBlock& block) {
  return std::any_of(diagram.blocks.begin(), diagram.blocks.end(),
                     [&](const SceneBlock& each) { return isSame(each, block); }) ||
         std::any_of(diagram.subdiagrams.begin(), diagram.subdiagrams.end(),
                     [&](const SceneDiagram& inside) { return has(inside, block); });
}

template <class Visit>
void forEachBlock(const SceneDiagram& diagram, const Visit& visit) {
  for (const SceneBlock& block : diagram.blocks) visit(block);
  for (const SceneDiagram& inside : diagram.subdiagrams) forEachBlock(inside, visit);
}

}  // namespace

void checkOutsideNames(const SceneDiagram& document, const SceneDiagram& opened, const BlockRegistry& registry) {
  forEachBlock(document, [&](const SceneBlock& block) {
    if (isOutside(block, registry) && !has(opened, block))
      throw Refused(block.where, fmt::format("the block '{}' names a file or a plug-in", block.name), kHint);
  });
}

std::vector<std::string> outsideBlocks(const SceneDiagram& document, const BlockRegistry& registry) {
  std::vector<std::string> places;
  forEachBlock(document, [&](const SceneBlock& block) {
    if (isOutside(block, registry)) places.push_back(block.where);
  });
  return places;
}

bool isForPages(const ParameterDescription& parameter) { return parameter.names != "file"; }

bool isForPages(const BlockRegistry::Kind& kind) {
  const auto& parameters = kind.description.parameters;
  return kind.from.empty() && std::none_of(parameters.begin(), parameters.end(),
                                           [](const ParameterDescription& p) { return p.required && !isForPages(p); });
}

}  // namespace footfall::studio
