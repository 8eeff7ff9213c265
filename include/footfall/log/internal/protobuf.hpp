#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::protobuf {

// As much of protocol buffers as a writer of logs needs: the encoding of messages, and their description for readers
// that do not know them.

/// Numbers of FieldDescriptorProto.Type.
enum class Type : std::uint8_t {
  double_ = 1,
  int64 = 3,
  int32 = 5,
  fixed32 = 7,
  bool_ = 8,
  text = 9,
  message = 11,
  bytes = 12,
  enumeration = 14
};

struct Field {
  std::string name;
  int number = 0;
  Type type = Type::double_;
  std::string type_name = {};  ///< of messages and enumerations: ".foxglove.Pose"
  bool repeated = false;
};

struct EnumValue {
  std::string name;
  int number = 0;
};

struct Enum {
  std::string name;
  std::vector<EnumValue> values;
};

struct Message {
  std::string name;
  std::vector<Field> fields;
  std::vector<Message> nested = {};
  std::vector<Enum> enums = {};
};

/// One .proto file.
struct File {
  std::string name;  ///< "footfall/state.proto"
  std::string package;
  std::vector<Message> messages;
  std::vector<std::string> dependencies = {};  ///< names of files
};

/// An encoded FileDescriptorSet: what a schema of MCAP with encoding `protobuf` holds. Files come after those that they
/// depend on.
std::string descriptorSet(const std::vector<File>& files);

// --- encoding: append one field to a message --------------------------------------------------------

void appendVarint(std::string& out, std::uint64_t value);
void appendInteger(std::string& out, int field, std::uint64_t value);
void appendFixed32(std::string& out, int field, std::uint32_t value);
void appendDouble(std::string& out, int field, double value);
/// Text, bytes or an encoded message.
void appendBytes(std::string& out, int field, std::string_view bytes);

/// A message in the message, made in its place: begin it, append its fields, end it with what beginMessage() returned.
std::size_t beginMessage(std::string& out, int field);
void endMessage(std::string& out, std::size_t begin);
/// The same around what `fill` appends.
template <class Fill>
void appendMessage(std::string& out, int field, Fill fill) {
  const std::size_t begin = beginMessage(out, field);
  fill();
  endMessage(out, begin);
}

}  // namespace footfall::protobuf
