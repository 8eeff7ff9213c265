#include "studio/server/refused.hpp"

#include <algorithm>
#include <cstdio>

namespace footfall::studio {
namespace {

/// Terminals obey control characters, which may come from a page or a file.
std::string withoutControl(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return (c < 0x20 && c != '\n' && c != '\t') || c == 0x7f; }, '?');
  return text;
}

}  // namespace

std::string toldToPage(const std::exception& error) {
  if (dynamic_cast<const Refused*>(&error) != nullptr) return error.what();
  std::fprintf(stderr, "%s\n", withoutControl(error.what()).c_str());
  return "this did not work; the terminal in which the server was started says why";
}

}  // namespace footfall::studio
