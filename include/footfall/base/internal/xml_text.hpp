#pragma once

#include <string>
#include <string_view>

namespace footfall {

/// Text as it stands in XML, between tags and inside of quotes.
std::string xmlText(std::string_view text);

}  // namespace footfall
