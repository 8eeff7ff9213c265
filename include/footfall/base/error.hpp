#pragma once

#include <stdexcept>
#include <string>

namespace footfall {

/// Bad input: says where it was found, what is wrong, and what to do about it.
///
///     icub.urdf:212: joint 'l_knee': lower limit 0.4 rad exceeds upper limit 0.1 rad
///       hint: were the limits swapped?
class Error : public std::runtime_error {
 public:
  /// @param where file:line, or the field of the scene; may be empty
  /// @param what  what was found and what was expected
  /// @param hint  what the reader can do; may be empty
  Error(std::string where, std::string what, std::string hint = {});

  const std::string& where() const { return where_; }
  const std::string& problem() const { return problem_; }
  const std::string& hint() const { return hint_; }

 private:
  std::string where_, problem_, hint_;
};

}  // namespace footfall
