#pragma once

#include <string>
#include <string_view>

#include "footfall/base/error.hpp"

namespace footfall::command {

/// "error: <where>: <what>" and "  hint: …" on stderr; in colour when that is a terminal.
void printError(const Error& error);
void printError(const std::string& problem, const std::string& hint = {});
void printWarning(const std::string& text);

/// To stderr, whether or not it arrives there.
void tell(std::string_view text);

/// stderr is a terminal that a line can be redrawn on.
bool isLive();

}  // namespace footfall::command
