#include "geometry/text_scanner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace footfall {
namespace {

constexpr std::string_view kSpace = " \t\r\n\f\v";

/// A word as errors show it: short, whatever the file holds.
std::string quoted(std::string_view word) {
  constexpr std::size_t kShown = 40;
  std::string text(word.substr(0, kShown));
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c >= 0x7f; }, '?');
  return fmt::format("'{}{}'", text, word.size() > kShown ? "…" : "");
}

}  // namespace

TextScanner::TextScanner(std::string_view text, std::string source, int first_line)
    : rest_(text), source_(std::move(source)), line_(first_line) {}

void TextScanner::skipSpace(bool over_lines) {
  std::size_t n = 0;
  while (n < rest_.size() && kSpace.find(rest_[n]) != kSpace.npos) {
    if (rest_[n] == '\n') {
      if (!over_lines) break;
      ++line_;
    }
    ++n;
  }
  rest_.remove_prefix(n);
}

std::string_view TextScanner::takeWord() {
  const std::string_view found = rest_.substr(0, rest_.find_first_of(kSpace));
  rest_.remove_prefix(found.size());
  return found;
}

std::string_view TextScanner::word() {
  skipSpace(true);
  return takeWord();
}

std::string_view TextScanner::wordOfLine() {
  skipSpace(false);
  return takeWord();
}

void TextScanner::skipLine() {
  const std::size_t end = rest_.find('\n');
  if (end != rest_.npos) ++line_;
  rest_.remove_prefix(end == rest_.npos ? rest_.size() : end + 1);
}

bool TextScanner::atEnd() {
  skipSpace(true);
  return rest_.empty();
}

double TextScanner::number() {
  const std::string_view found = word();
  std::string_view digits = found;
  if (digits.size() > 1 && digits[0] == '+' && digits[1] != '-') digits.remove_prefix(1);
  double value = 0.0;
  const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  const bool whole = !digits.empty() && end == digits.data() + digits.size();
  // Exporters write numbers such as 1e-400, which is out of range but as good as zero.
  const bool tiny = problem == std::errc::result_out_of_range && digits.find("e-") != digits.npos;
  if (whole && tiny) return 0.0;
  if (whole && problem == std::errc() && std::isfinite(value)) return value;
  throw error(found.empty() ? "the file ends where a number is expected"
                            : fmt::format("found {}, expected a finite number", quoted(found)));
}

int TextScanner::integer() { return integerIn(word()); }

int TextScanner::integerIn(std::string_view text) const {
  int value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (!text.empty() && problem == std::errc() && end == text.data() + text.size()) return value;
  throw error(text.empty() ? "the list ends where an integer is expected"
                           : fmt::format("found {}, expected an integer", quoted(text)));
}

Error TextScanner::error(const std::string& what) const { return Error(fmt::format("{}:{}", source_, line_), what); }

}  // namespace footfall
