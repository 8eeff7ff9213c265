#pragma once

#include <string>

namespace footfall::python {

/// Bytes that know whether they are still the same: a snapshot in which a bit has changed would go on from another
/// state, and nobody would know.
std::string sealed(const std::string& bytes);

/// What was sealed. Throws Error where it is damaged. Bytes without a seal, of before there was one, are given back.
std::string unsealed(const std::string& bytes, const std::string& where);

}  // namespace footfall::python
