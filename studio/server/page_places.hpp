#pragma once

#include <string>

namespace footfall::studio {

// Places in the page (page/src/index.html) that are filled in when it is served or written.

inline constexpr const char* kHeadPlace = "<!--head-->";  ///< a key for the page, or a policy for a report
inline constexpr const char* kDataPlace = "<!--data-->";  ///< runs of a report
inline constexpr const char* kNoncePlace = "@nonce@";     ///< of its one script: others are not run

/// Pages that have no such place stay as they are.
inline void fillIn(std::string& page, const char* place, const std::string& text) {
  const std::size_t at = page.find(place);
  if (at != std::string::npos) page.replace(at, std::char_traits<char>::length(place), text);
}

}  // namespace footfall::studio
