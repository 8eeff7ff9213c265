#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace footfall {

/// Number of letters to insert, delete or replace to turn one word into the other; case counts half a letter
/// (the result is doubled so that it stays whole: 1 is a change of case, 2 another letter).
int editDistance(std::string_view a, std::string_view b);

/// The known names that a mistyped one may have meant, best first, at most `most`; none that is far off.
std::vector<std::string> nearestNames(std::string_view name, const std::vector<std::string>& known, int most = 3);

/// "did you mean 'l_knee' or 'r_knee'?", or empty when no name is near.
std::string didYouMean(std::string_view name, const std::vector<std::string>& known);

/// As didYouMean; when no name is near, "known: a, b, c" (shortened when there are many).
std::string suggestOrList(std::string_view name, const std::vector<std::string>& known);

}  // namespace footfall
