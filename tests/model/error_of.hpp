#pragma once

#include <gtest/gtest.h>

#include <string>

#include "footfall/base/error.hpp"

namespace footfall {

/// The error that `call` must throw.
template <class Call>
Error errorOf(Call call) {
  try {
    call();
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "no error was thrown";
  return Error("", "");
}

/// It must throw an error that says this.
template <class Call>
void expectError(const std::string& text, Call call) {
  const std::string said = errorOf(call).what();
  EXPECT_NE(said.find(text), std::string::npos) << "expected '" << text << "', it says: " << said;
}

}  // namespace footfall
