#include "log/name_tree.hpp"

#include <algorithm>
#include <cctype>

namespace footfall {
namespace {

NameTree& addChild(NameTree& parent, const std::string& name) {
  const auto taken = [&parent](const std::string& identifier) {
    return std::any_of(parent.children.begin(), parent.children.end(),
                       [&](const auto& child) { return child->identifier == identifier; });
  };
  auto child = std::make_unique<NameTree>();
  child->name = name;
  child->identifier = identifierOf(name);
  for (int number = 2; taken(child->identifier); ++number)
    child->identifier = identifierOf(name) + "_" + std::to_string(number);
  parent.children.push_back(std::move(child));
  return *parent.children.back();
}

}  // namespace

void NameTree::add(const std::string& dotted_name, int number) {
  NameTree* node = this;
  std::size_t start = 0;
  for (std::size_t dot; (dot = dotted_name.find('.', start)) != std::string::npos; start = dot + 1) {
    const std::string part = dotted_name.substr(start, dot - start);
    const auto found = std::find_if(node->children.begin(), node->children.end(),
                                    [&](const auto& child) { return child->leaf < 0 && child->name == part; });
    node = found == node->children.end() ? &addChild(*node, part) : found->get();
  }
  addChild(*node, dotted_name.substr(start)).leaf = number;
}

std::string identifierOf(const std::string& name) {
  std::string result;
  for (const char letter : name) result += std::isalnum(static_cast<unsigned char>(letter)) ? letter : '_';
  while (!result.empty() && result.back() == '_') result.pop_back();
  // MATLAB wants a letter in front.
  if (result.empty() || !std::isalpha(static_cast<unsigned char>(result.front()))) return "n" + result;
  return result;
}

}  // namespace footfall
