#include "log/message_layout.hpp"

#include <algorithm>
#include <cctype>
#include <memory>

#include "log/protobuf.hpp"

namespace footfall {
namespace {

/// A field: a number, or a message of further fields.
struct Node {
  std::string name;   ///< part of the column's name between dots
  std::string field;  ///< the same as an identifier, unlike its neighbours
  int column = -1;    ///< of a number
  std::vector<std::unique_ptr<Node>> children;
};

/// Letters, digits and underscores; what else there is becomes an underscore.
std::string identifier(const std::string& name) {
  std::string result;
  for (const char letter : name) result += std::isalnum(static_cast<unsigned char>(letter)) ? letter : '_';
  while (!result.empty() && result.back() == '_') result.pop_back();
  if (result.empty() || std::isdigit(static_cast<unsigned char>(result.front()))) return "_" + result;
  return result;
}

Node& addChild(Node& parent, const std::string& name) {
  const auto taken = [&parent](const std::string& field) {
    return std::any_of(parent.children.begin(), parent.children.end(),
                       [&](const auto& c) { return c->field == field; });
  };
  auto child = std::make_unique<Node>();
  child->name = name;
  child->field = identifier(name);
  for (int number = 2; taken(child->field); ++number) child->field = identifier(name) + "_" + std::to_string(number);
  parent.children.push_back(std::move(child));
  return *parent.children.back();
}

void addColumn(Node& root, const std::string& column_name, int column) {
  Node* node = &root;
  std::size_t start = 0;
  for (std::size_t dot; (dot = column_name.find('.', start)) != std::string::npos; start = dot + 1) {
    const std::string part = column_name.substr(start, dot - start);
    const auto found = std::find_if(node->children.begin(), node->children.end(),
                                    [&](const auto& child) { return child->column < 0 && child->name == part; });
    node = found == node->children.end() ? &addChild(*node, part) : found->get();
  }
  addChild(*node, column_name.substr(start)).column = column;
}

std::string messageName(const Node& node) { return node.field + "_message"; }

protobuf::Message describe(const Node& node, const std::string& name, const std::string& full_name) {
  protobuf::Message message{name, {}};
  for (const auto& child : node.children) {
    protobuf::Field field{child->field, static_cast<int>(message.fields.size()) + 1};
    if (child->column < 0) {
      field.type = protobuf::Type::message;
      field.type_name = full_name + "." + messageName(*child);
      message.nested.push_back(describe(*child, messageName(*child), field.type_name));
    }
    message.fields.push_back(std::move(field));
  }
  return message;
}

/// The message of a node, all zero; offsets are counted from its start.
std::string encode(const Node& node, std::vector<std::size_t>& offsets) {
  std::string out;
  for (std::size_t i = 0; i < node.children.size(); ++i) {
    const Node& child = *node.children[i];
    const int number = static_cast<int>(i) + 1;
    if (child.column >= 0) {
      protobuf::appendDouble(out, number, 0.0);
      offsets[static_cast<std::size_t>(child.column)] = out.size() - sizeof(double);
      continue;
    }
    std::vector<std::size_t> inner(offsets.size(), std::string::npos);
    const std::string content = encode(child, inner);
    protobuf::appendBytes(out, number, content);
    for (std::size_t c = 0; c < inner.size(); ++c)
      if (inner[c] != std::string::npos) offsets[c] = out.size() - content.size() + inner[c];
  }
  return out;
}

std::string camelCase(const std::string& group) {
  std::string result;
  bool upper = true;
  for (const char letter : identifier(group)) {
    if (letter != '_') result += upper ? static_cast<char>(std::toupper(static_cast<unsigned char>(letter))) : letter;
    upper = letter == '_';
  }
  return result;
}

}  // namespace

MessageLayout layOut(const std::string& group, const std::vector<Channel>& channels) {
  Node root;
  int column = 0;
  for (const Channel& channel : channels) {
    if (channel.components.empty()) addColumn(root, channel.name, column++);
    for (const std::string& component : channel.components) addColumn(root, channel.name + "." + component, column++);
  }
  const std::string name = camelCase(group.empty() ? "log" : group);
  MessageLayout layout;
  layout.schema_name = "footfall." + name;
  layout.schema = protobuf::descriptorSet(
      {{"footfall/" + identifier(name) + ".proto", "footfall", {describe(root, name, ".footfall." + name)}}});
  layout.offsets.assign(static_cast<std::size_t>(column), std::string::npos);
  layout.blank = encode(root, layout.offsets);
  return layout;
}

}  // namespace footfall
