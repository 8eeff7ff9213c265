#include "footfall/base/text_number.hpp"

#include <charconv>

namespace footfall {

std::vector<std::string_view> splitWords(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n";
  std::vector<std::string_view> words;
  while (true) {
    const std::size_t begin = text.find_first_not_of(kSpace);
    if (begin == std::string_view::npos) return words;
    const std::size_t end = text.find_first_of(kSpace, begin);
    words.push_back(text.substr(begin, end - begin));
    if (end == std::string_view::npos) return words;
    text.remove_prefix(end);
  }
}

std::optional<double> parseNumber(std::string_view text) {
  const std::vector<std::string_view> words = splitWords(text);
  if (words.size() != 1) return std::nullopt;
  std::string_view digits = words[0];
  if (digits.size() > 1 && digits[0] == '+' && digits[1] != '-') digits.remove_prefix(1);
  double value = 0.0;
  const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (end != digits.data() + digits.size()) return std::nullopt;
  // Out of range: too small to be told from zero (real files hold 1e-320), or too large.
  if (problem == std::errc::result_out_of_range)
    return digits.find("e-") != digits.npos || digits.find("E-") != digits.npos ? std::optional(0.0) : std::nullopt;
  return problem == std::errc() ? std::optional(value) : std::nullopt;
}

}  // namespace footfall
