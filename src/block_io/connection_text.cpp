#include "footfall/block_io/internal/connection_text.hpp"

#include <fmt/format.h>

#include "footfall/base/error.hpp"

namespace footfall {
namespace {

std::string trimmed(const std::string& text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::vector<std::string> split(const std::string& text, const std::string& separator) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  for (std::size_t end; (end = text.find(separator, begin)) != std::string::npos; begin = end + separator.size())
    parts.push_back(trimmed(text.substr(begin, end - begin)));
  parts.push_back(trimmed(text.substr(begin)));
  return parts;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> splitConnection(const std::string& text, const std::string& where) {
  const std::vector<std::string> parts = split(text, "->");
  const auto refuse = [&](const std::string& why) {
    return Error(where, fmt::format("'{}' is not a connection: {}", text, why), "robot.state -> controller.state");
  };
  if (parts.size() < 2) throw refuse("there is no '->' in it");
  std::vector<std::pair<std::string, std::string>> pairs;
  for (std::size_t k = 1; k < parts.size(); ++k) {
    const std::vector<std::string> inputs = split(parts[k], ",");
    if (inputs.size() > 1 && k + 1 < parts.size()) throw refuse("only its end may name several inputs");
    for (const std::string& input : inputs) {
      if (input.empty() || parts[k - 1].empty()) throw refuse("one of its ends is missing");
      pairs.emplace_back(parts[k - 1], input);
    }
  }
  return pairs;
}

}  // namespace footfall
