#pragma once

#include <gtest/gtest.h>

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

}  // namespace footfall
