#include "footfall/base/internal/json_text.hpp"

#include <fmt/format.h>

#include <string_view>

namespace footfall {
namespace {

constexpr std::size_t kLineWidth = 110;

/// Length of the bracketed part that begins at `begin`, brackets included.
std::size_t bracketedLength(std::string_view json, std::size_t begin) {
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = begin; i < json.size(); ++i) {
    const char c = json[i];
    if (quoted && c == '\\') {
      ++i;
    } else if (c == '"') {
      quoted = !quoted;
    } else if (!quoted && (c == '{' || c == '[')) {
      ++depth;
    } else if (!quoted && (c == '}' || c == ']') && --depth == 0) {
      return i + 1 - begin;
    }
  }
  return json.size() - begin;
}

void breakLine(std::size_t depth, std::string& out) {
  out += '\n';
  out.append(2 * depth, ' ');
}

/// Appends the JSON value or the entries `json`, broken after commas and brackets at this depth.
void appendIndented(std::string_view json, std::size_t depth, std::string& out) {
  bool quoted = false;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (quoted && c == '\\') {
      out += c;
      out += json[++i];
      continue;
    }
    if (c == '"') quoted = !quoted;
    if (!quoted && (c == '{' || c == '[')) {
      const std::string_view part = json.substr(i, bracketedLength(json, i));
      if (part.size() <= kLineWidth) {
        out += part;
      } else {
        out += c;
        breakLine(depth + 1, out);
        appendIndented(part.substr(1, part.size() - 2), depth + 1, out);
        breakLine(depth, out);
        out += part.back();
      }
      i += part.size() - 1;
    } else if (!quoted && c == ',') {
      out += c;
      breakLine(depth, out);
      while (i + 1 < json.size() && json[i + 1] == ' ') ++i;
    } else {
      out += c;
    }
  }
}

}  // namespace

std::string quoteJson(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    if (static_cast<unsigned char>(c) < 0x20)
      quoted += fmt::format("\\u{:04x}", c);  // JSON has no line breaks inside of texts
    else
      quoted += c;
  }
  return quoted + "\"";
}

std::string indentJson(const std::string& json) {
  std::string out;
  appendIndented(json, 0, out);
  return out;
}

}  // namespace footfall
