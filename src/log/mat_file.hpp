#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

/// Files as MATLAB's `load` reads them: level 5 of the format ("MAT-File Format", The MathWorks), not compressed.
namespace footfall::mat {

/// The largest variable that the format's counters can hold [bytes].
constexpr std::size_t kLargestVariable = 0x7FFF0000;

struct Value;

struct Text {
  std::string utf8;
};

struct Matrix {
  std::size_t rows = 0, columns = 0;
  std::function<double(std::size_t row, std::size_t column)> at;
};

struct Struct {
  std::vector<std::string> names;
  std::vector<Value> values;  ///< one for each name
};

struct Value {
  std::variant<Struct, Text, Matrix> content;
};

/// What a file begins with; `text` says who wrote it.
std::string header(const std::string& text);

/// How many bytes write() will hand over.
std::size_t sizeOf(const std::string& name, const Value& value);

/// Hands the bytes of a variable over piece by piece, the columns of matrices one at a time.
void write(const std::string& name, const Value& value, const std::function<void(std::string_view)>& sink);

}  // namespace footfall::mat
