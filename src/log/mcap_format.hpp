#pragma once

#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>

namespace footfall::mcap {

// The words of the MCAP specification, version 0: a file is magic, records, magic. A record is an opcode (1 byte), the
// length of its content (8 bytes), its content. Numbers are little-endian; strings have their length in front (4
// bytes).

inline constexpr std::string_view kMagic{"\x89MCAP0\r\n", 8};
inline constexpr std::size_t kRecordHead = 9;  ///< bytes of opcode and length
// Places in a message record: opcode, length, channel, sequence, log time, publish time, data.
inline constexpr std::size_t kSequenceAt = kRecordHead + 2, kLogTimeAt = kSequenceAt + 4,
                             kPublishTimeAt = kLogTimeAt + 8, kMessageHead = kPublishTimeAt + 8;

enum class Opcode : std::uint8_t {
  header = 0x01,
  footer = 0x02,
  schema = 0x03,
  channel = 0x04,
  message = 0x05,
  chunk = 0x06,
  message_index = 0x07,
  chunk_index = 0x08,
  attachment = 0x09,
  attachment_index = 0x0A,
  statistics = 0x0B,
  metadata = 0x0C,
  metadata_index = 0x0D,
  summary_offset = 0x0E,
  data_end = 0x0F
};

/// Appends fields to a text that becomes part of a file.
class Writer {
 public:
  explicit Writer(std::string& out) : out_(out) {}

  template <class Number>
  Writer& number(Number value) {
    out_.append(reinterpret_cast<const char*>(&value), sizeof value);
    return *this;
  }
  Writer& text(std::string_view value) {
    number(static_cast<std::uint32_t>(value.size()));
    return raw(value);
  }
  Writer& raw(std::string_view bytes) {
    out_.append(bytes);
    return *this;
  }

  /// Opcode, room for the length, what `fill` writes, and then the length.
  template <class Fill>
  Writer& record(Opcode opcode, Fill fill) {
    number(opcode);
    return sized<std::uint64_t>(fill);
  }
  /// A map or an array: its size in bytes, then what `fill` writes.
  template <class Size = std::uint32_t, class Fill>
  Writer& sized(Fill fill) {
    const std::size_t start = out_.size();
    number(Size{0});
    fill(*this);
    const auto size = static_cast<Size>(out_.size() - start - sizeof(Size));
    std::memcpy(out_.data() + start, &size, sizeof size);
    return *this;
  }

 private:
  std::string& out_;
};

/// Takes fields from the front of a text; throws std::runtime_error where it ends too early.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : rest_(bytes) {}

  template <class Number>
  Number number() {
    Number value;
    const std::string_view bytes = raw(sizeof value);
    std::memcpy(&value, bytes.data(), sizeof value);
    return value;
  }
  std::string_view text() { return raw(number<std::uint32_t>()); }
  std::string_view raw(std::uint64_t size) {
    if (size > rest_.size()) throw std::runtime_error("a record is shorter than it says");
    const std::string_view bytes = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return bytes;
  }
  bool empty() const { return rest_.empty(); }
  std::size_t size() const { return rest_.size(); }

 private:
  std::string_view rest_;
};

}  // namespace footfall::mcap
