#include "log/mat_file.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

#include "footfall/base/internal/utf8.hpp"

namespace footfall::mat {
namespace {

static_assert(std::endian::native == std::endian::little, "numbers are written as they lie in memory");

enum DataType : std::uint32_t { kInt8 = 1, kInt32 = 5, kUint32 = 6, kDouble = 9, kMatrix = 14, kUtf16 = 17 };
enum ArrayClass : std::uint32_t { kStructClass = 2, kCharClass = 4, kDoubleClass = 6 };

constexpr std::size_t kTag = 8, kFlags = kTag + 8, kDimensions = kTag + 8, kFieldLength = 8;

std::size_t padded(std::size_t size) { return (size + 7) / 8 * 8; }

std::string number(std::uint32_t value) {
  std::string bytes(4, '\0');
  std::memcpy(bytes.data(), &value, 4);
  return bytes;
}

std::string tag(DataType type, std::size_t size) { return number(type) + number(static_cast<std::uint32_t>(size)); }

std::string element(DataType type, const std::string& bytes) {
  return tag(type, bytes.size()) + bytes + std::string(padded(bytes.size()) - bytes.size(), '\0');
}

/// With the zero at their ends; MATLAB 5 knew 31 letters, today's knows 63.
std::size_t nameLength(const Struct& value) {
  std::size_t longest = 31;
  for (const std::string& name : value.names) longest = std::max(longest, name.size());
  return longest + 1;
}

/// The only encoding that MATLAB, Octave and SciPy all count alike.
std::u16string utf16(const std::string& utf8) {
  std::u16string result;
  for (const char32_t letter : decodeUtf8(utf8)) {
    if (letter < 0x10000) {
      result += static_cast<char16_t>(letter);
    } else {  // a pair of surrogates
      result += static_cast<char16_t>(0xD800 + ((letter - 0x10000) >> 10));
      result += static_cast<char16_t>(0xDC00 + (letter & 0x3FF));
    }
  }
  return result;
}

std::size_t contentSize(const Text& text) { return kTag + padded(2 * utf16(text.utf8).size()); }
std::size_t contentSize(const Matrix& matrix) { return kTag + matrix.rows * matrix.columns * sizeof(double); }
std::size_t contentSize(const Struct& value) {
  std::size_t size = kFieldLength + kTag + padded(value.names.size() * nameLength(value));
  for (const Value& field : value.values) size += sizeOf("", field);
  return size;
}

struct Shape {
  ArrayClass array_class;
  std::size_t rows, columns;
};
Shape shapeOf(const Struct&) { return {kStructClass, 1, 1}; }
Shape shapeOf(const Matrix& matrix) { return {kDoubleClass, matrix.rows, matrix.columns}; }
Shape shapeOf(const Text& text) { return {kCharClass, text.utf8.empty() ? 0u : 1u, utf16(text.utf8).size()}; }

using Sink = std::function<void(std::string_view)>;

void writeContent(const Text& text, const Sink& sink) {
  const std::u16string letters = utf16(text.utf8);
  sink(element(kUtf16, std::string(reinterpret_cast<const char*>(letters.data()), 2 * letters.size())));
}

void writeContent(const Matrix& matrix, const Sink& sink) {
  sink(tag(kDouble, matrix.rows * matrix.columns * sizeof(double)));
  std::vector<double> column(matrix.rows);
  for (std::size_t c = 0; c < matrix.columns; ++c) {
    for (std::size_t r = 0; r < matrix.rows; ++r) column[r] = matrix.at(r, c);
    sink({reinterpret_cast<const char*>(column.data()), column.size() * sizeof(double)});
  }
}

void writeContent(const Struct& value, const Sink& sink) {
  const std::size_t length = nameLength(value);
  sink(number(4u << 16 | kInt32) + number(static_cast<std::uint32_t>(length)));  // so small that it has the short tag
  std::string names;
  for (const std::string& name : value.names) names += name + std::string(length - name.size(), '\0');
  sink(element(kInt8, names));
  for (const Value& field : value.values) write("", field, sink);
}

}  // namespace

std::string header(const std::string& text) {
  constexpr std::size_t kText = 116, kNoSubsystem = 8;
  std::string bytes = ("MATLAB 5.0 MAT-file, " + text).substr(0, kText);
  bytes.resize(kText, ' ');
  bytes.append(kNoSubsystem, '\0');
  return bytes + std::string("\x00\x01IM", 4);  // version 1, lowest byte first
}

std::size_t sizeOf(const std::string& name, const Value& value) {
  const std::size_t content = std::visit([](const auto& kind) { return contentSize(kind); }, value.content);
  return kTag + kFlags + kDimensions + kTag + padded(name.size()) + content;
}

void write(const std::string& name, const Value& value, const Sink& sink) {
  const Shape shape = std::visit([](const auto& content) { return shapeOf(content); }, value.content);
  const auto size = [](std::size_t count) { return number(static_cast<std::uint32_t>(count)); };
  sink(tag(kMatrix, sizeOf(name, value) - kTag) + element(kUint32, number(shape.array_class) + number(0)) +
       element(kInt32, size(shape.rows) + size(shape.columns)) + element(kInt8, name));
  std::visit([&](const auto& content) { writeContent(content, sink); }, value.content);
}

}  // namespace footfall::mat
