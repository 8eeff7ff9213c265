#include "log/name_tree.hpp"

#include <cctype>

namespace footfall {
namespace {
constexpr int kDeepest = 32;  ///< nodes above a leaf
}

NameTree& NameTree::addChild(const std::string& part) {
  const std::string wanted = identifierOf(part);
  std::string unlike_others = wanted;
  for (int& repeats = repeats_[wanted]; !taken_.insert(unlike_others).second;)
    unlike_others = wanted + "_" + std::to_string(++repeats + 1);
  auto child = std::make_unique<NameTree>();
  child->name = part;
  child->identifier = std::move(unlike_others);
  children.push_back(std::move(child));
  return *children.back();
}

void NameTree::add(const std::string& dotted_name, int number) {
  NameTree* node = this;
  std::size_t start = 0;
  for (int depth = 0; depth < kDeepest; ++depth) {
    const std::size_t dot = dotted_name.find('.', start);
    if (dot == std::string::npos) break;
    const std::string part = dotted_name.substr(start, dot - start);
    NameTree*& branch = node->branches_[part];
    if (branch == nullptr) branch = &node->addChild(part);
    node = branch;
    start = dot + 1;
  }
  node->addChild(dotted_name.substr(start)).leaf = number;
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
