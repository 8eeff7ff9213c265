#pragma once

#include <string>
#include <vector>

namespace footfall {

/// A work of others that Footfall is made of; tools/licenses is the list.
struct LicenseNotice {
  std::string name;
  std::string inside;  ///< library, command, page or python
  std::string home;    ///< address
  std::string text;
};

const std::vector<LicenseNotice>& licenseNotices();

/// Footfall's own licence, and those of what is inside of it.
std::string licenseTexts();

/// The same for what is inside of libfootfall alone, as an FMU carries it.
std::string libraryLicenseTexts();

}  // namespace footfall
