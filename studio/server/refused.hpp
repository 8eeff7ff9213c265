#pragma once

#include <string>

#include "footfall/base/error.hpp"

namespace footfall::studio {

/// What a page asked for cannot be done. It quotes nothing but what the page said itself or is shown anyway: only such
/// errors reach a page as they are.
class Refused : public Error {
 public:
  using Error::Error;
};

/// What a page is told about a failure. Errors of readers quote what they have read, which is nobody's business but
/// that of who started the server: they go to the terminal, and the page is told to look there.
std::string toldToPage(const std::exception& error);

}  // namespace footfall::studio
