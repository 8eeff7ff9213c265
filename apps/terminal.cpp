#include "terminal.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace footfall::command {
namespace {

constexpr std::string_view kRed = "\033[1;31m", kYellow = "\033[1;33m", kBlue = "\033[1;34m";

/// https://no-color.org: a variable that people set once for all programs.
bool colours() { return isLive() && std::getenv("NO_COLOR") == nullptr; }

std::string coloured(std::string_view colour, std::string_view text) {
  return colours() ? fmt::format("{}{}\033[0m", colour, text) : std::string(text);
}

}  // namespace

void tell(std::string_view text) {
  // What cannot be told ends nothing: a run whose terminal is gone goes on, and an error keeps its exit code.
  static_cast<void>(std::fwrite(text.data(), 1, text.size(), stderr));
  std::fflush(stderr);
}

bool isLive() {
  const char* kind = std::getenv("TERM");
  return ::isatty(STDERR_FILENO) != 0 && kind != nullptr && std::string_view(kind) != "dumb";
}

void printError(const Error& error) {
  printError(error.where().empty() ? error.problem() : error.where() + ": " + error.problem(), error.hint());
}

void printError(const std::string& problem, const std::string& hint) {
  if (isLive()) tell("\r\033[K");  // in place of a progress line that was being drawn
  tell(fmt::format("{} {}\n", coloured(kRed, "error:"), problem));
  if (!hint.empty()) tell(fmt::format("  {} {}\n", coloured(kBlue, "hint:"), hint));
}

void printWarning(const std::string& text) { tell(fmt::format("{} {}\n", coloured(kYellow, "warning:"), text)); }

}  // namespace footfall::command
