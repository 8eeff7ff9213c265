#include "footfall/log/internal/protobuf.hpp"

#include <cstring>

namespace footfall::protobuf {
namespace {

enum WireType : unsigned { kVarint = 0, kFixed64 = 1, kBytes = 2, kFixed32 = 5 };

void appendTag(std::string& out, int field, WireType type) {
  appendVarint(out, static_cast<std::uint64_t>(field) << 3 | type);
}

/// A tag of a single byte and a number, in one piece: pictures are made of these.
template <class Number>
void appendFixed(std::string& out, int field, WireType type, Number value) {
  char bytes[1 + sizeof value];
  bytes[0] = static_cast<char>(field << 3 | type);
  std::memcpy(bytes + 1, &value, sizeof value);
  if (field < 16) {
    out.append(bytes, sizeof bytes);
  } else {
    appendTag(out, field, type);
    out.append(bytes + 1, sizeof value);
  }
}

/// A FieldDescriptorProto.
std::string describe(const Field& field) {
  constexpr int kOptional = 1, kRepeated = 3;
  std::string out;
  appendBytes(out, 1, field.name);
  appendInteger(out, 3, static_cast<std::uint64_t>(field.number));
  appendInteger(out, 4, field.repeated ? kRepeated : kOptional);
  appendInteger(out, 5, static_cast<std::uint64_t>(field.type));
  if (!field.type_name.empty()) appendBytes(out, 6, field.type_name);
  return out;
}

/// An EnumDescriptorProto.
std::string describe(const Enum& enumeration) {
  std::string out;
  appendBytes(out, 1, enumeration.name);
  for (const EnumValue& value : enumeration.values) {
    std::string entry;
    appendBytes(entry, 1, value.name);
    appendInteger(entry, 2, static_cast<std::uint64_t>(value.number));
    appendBytes(out, 2, entry);
  }
  return out;
}

/// A DescriptorProto.
std::string describe(const Message& message) {
  std::string out;
  appendBytes(out, 1, message.name);
  for (const Field& field : message.fields) appendBytes(out, 2, describe(field));
  for (const Message& nested : message.nested) appendBytes(out, 3, describe(nested));
  for (const Enum& enumeration : message.enums) appendBytes(out, 4, describe(enumeration));
  return out;
}

/// A FileDescriptorProto.
std::string describe(const File& file) {
  std::string out;
  appendBytes(out, 1, file.name);
  if (!file.package.empty()) appendBytes(out, 2, file.package);
  for (const std::string& dependency : file.dependencies) appendBytes(out, 3, dependency);
  for (const Message& message : file.messages) appendBytes(out, 4, describe(message));
  appendBytes(out, 12, "proto3");
  return out;
}

}  // namespace

std::string descriptorSet(const std::vector<File>& files) {
  std::string out;
  for (const File& file : files) appendBytes(out, 1, describe(file));
  return out;
}

void appendVarint(std::string& out, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) out += static_cast<char>(value | 0x80);
  out += static_cast<char>(value);
}

void appendInteger(std::string& out, int field, std::uint64_t value) {
  appendTag(out, field, kVarint);
  appendVarint(out, value);
}

void appendFixed32(std::string& out, int field, std::uint32_t value) { appendFixed(out, field, kFixed32, value); }

void appendDouble(std::string& out, int field, double value) { appendFixed(out, field, kFixed64, value); }

void appendBytes(std::string& out, int field, std::string_view bytes) {
  appendTag(out, field, kBytes);
  appendVarint(out, bytes.size());
  out.append(bytes);
}

std::size_t beginMessage(std::string& out, int field) {
  appendTag(out, field, kBytes);
  out += '\0';  // room for the length of a short message
  return out.size();
}

void endMessage(std::string& out, std::size_t begin) {
  std::size_t length = out.size() - begin;
  std::size_t place = begin - 1;
  for (; length >= 0x80; length >>= 7) {
    out[place] = static_cast<char>(length | 0x80);
    out.insert(++place, 1, '\0');
  }
  out[place] = static_cast<char>(length);
}

}  // namespace footfall::protobuf
