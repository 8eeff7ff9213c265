#pragma once

#include <string>
#include <string_view>

namespace footfall {

/// The letters of a text in UTF-8. Bytes that are no UTF-8 (cut off, too long, halves of a pair, beyond U+10FFFF)
/// become U+FFFD, one for each sequence that breaks off, as browsers do it; every letter of the result is a Unicode
/// scalar.
std::u32string decodeUtf8(std::string_view bytes);

}  // namespace footfall
