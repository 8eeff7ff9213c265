#include "log/message_layout.hpp"

#include <cctype>

#include "footfall/log/internal/protobuf.hpp"
#include "log/name_tree.hpp"

namespace footfall {
namespace {

std::string messageName(const NameTree& node) { return node.identifier + "_message"; }

protobuf::Message describe(const NameTree& node, const std::string& name, const std::string& full_name) {
  protobuf::Message message{name, {}};
  for (const auto& child : node.children) {
    protobuf::Field field{child->identifier, static_cast<int>(message.fields.size()) + 1};
    if (child->leaf < 0) {
      field.type = protobuf::Type::message;
      field.type_name = full_name + "." + messageName(*child);
      message.nested.push_back(describe(*child, messageName(*child), field.type_name));
    }
    message.fields.push_back(std::move(field));
  }
  return message;
}

struct LeafPlace {
  int leaf;
  std::size_t offset;  ///< in the message
};

/// The message of a node, all zero. Appends where its numbers are, counted from its start.
std::string encode(const NameTree& node, std::vector<LeafPlace>& places) {
  std::string out;
  for (std::size_t i = 0; i < node.children.size(); ++i) {
    const NameTree& child = *node.children[i];
    const int number = static_cast<int>(i) + 1;
    if (child.leaf >= 0) {
      protobuf::appendDouble(out, number, 0.0);
      places.push_back({child.leaf, out.size() - sizeof(double)});
      continue;
    }
    const std::size_t first = places.size();
    const std::string content = encode(child, places);
    protobuf::appendBytes(out, number, content);
    for (std::size_t k = first; k < places.size(); ++k) places[k].offset += out.size() - content.size();
  }
  return out;
}

std::string camelCase(const std::string& group) {
  std::string result;
  bool upper = true;
  for (const char letter : identifierOf(group)) {
    if (letter != '_') result += upper ? static_cast<char>(std::toupper(static_cast<unsigned char>(letter))) : letter;
    upper = letter == '_';
  }
  return result;
}

}  // namespace

MessageLayout layOut(const std::string& group, const std::vector<Channel>& channels) {
  NameTree root;
  int column = 0;
  for (const Channel& channel : channels) {
    if (channel.components.empty()) root.add(channel.name, column++);
    for (const std::string& component : channel.components) root.add(channel.name + "." + component, column++);
  }
  const std::string name = camelCase(group.empty() ? "log" : group);
  MessageLayout layout;
  layout.schema_name = "footfall." + name;
  layout.schema = protobuf::descriptorSet(
      {{"footfall/" + identifierOf(name) + ".proto", "footfall", {describe(root, name, ".footfall." + name)}}});
  std::vector<LeafPlace> places;
  layout.blank = encode(root, places);
  layout.offsets.resize(places.size());
  for (const LeafPlace& place : places) layout.offsets[static_cast<std::size_t>(place.leaf)] = place.offset;
  return layout;
}

}  // namespace footfall
