#include "studio/server/json_fields.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "studio/server/refused.hpp"

namespace footfall::studio {
namespace {

using nlohmann::json;

constexpr std::size_t kMostText = 256;
constexpr std::size_t kMostColumns = 256;

const json& field(const json& message, const char* key) {
  const auto found = message.is_object() ? message.find(key) : message.end();
  if (!message.is_object() || found == message.end()) throw Refused(key, "this field is missing in the message");
  return *found;
}

double finiteNumber(const json& value, const char* key) {
  if (!value.is_number()) throw Refused(key, "expected a number");
  const double number = value.get<double>();
  if (!std::isfinite(number)) throw Refused(key, "expected a finite number");
  return number;
}

}  // namespace

std::string textField(const json& message, const char* key) {
  const json& value = field(message, key);
  if (!value.is_string()) throw Refused(key, "expected a text");
  std::string text = value.get<std::string>();
  if (text.empty() || text.size() > kMostText) throw Refused(key, "expected a text of 1 to 256 bytes");
  return text;
}

double numberField(const json& message, const char* key) { return finiteNumber(field(message, key), key); }

Vector3d vectorField(const json& message, const char* key) {
  const json& value = field(message, key);
  if (!value.is_array() || value.size() != 3) throw Refused(key, "expected three numbers");
  return {finiteNumber(value[0], key), finiteNumber(value[1], key), finiteNumber(value[2], key)};
}

std::vector<int> columnsField(const json& message, const char* key, std::size_t columns) {
  const json& value = field(message, key);
  if (!value.is_array() || value.size() > kMostColumns) throw Refused(key, "expected a list of at most 256 columns");
  std::vector<int> numbers;
  for (const json& entry : value) {
    const double number = finiteNumber(entry, key);
    if (number < 0.0 || number >= static_cast<double>(columns) || number != std::floor(number))
      throw Refused(key, "there is no column with this number");
    numbers.push_back(static_cast<int>(number));
  }
  return numbers;
}

std::string jsonText(const json& value) { return value.dump(-1, ' ', false, json::error_handler_t::replace); }

}  // namespace footfall::studio
