#include "footfall/base/licenses.hpp"

#include <fmt/format.h>

#include <string_view>

#include "license_files.hpp"  // written by CMake from LICENSE and tools/licenses

namespace footfall {
namespace {

std::string field(std::string_view head, std::string_view key) {
  const std::size_t at = head.find(key);
  const std::size_t begin = at + key.size(), end = head.find('\n', begin);
  return std::string(head.substr(begin, end - begin));
}

/// A file begins with its fields; an empty line ends them.
LicenseNotice noticeOf(std::string_view file) {
  const std::size_t end = file.find("\n\n");
  const std::string_view head = file.substr(0, end + 1);
  return {field(head, "Name: "), field(head, "Inside: "), field(head, "Home: "), std::string(file.substr(end + 2))};
}

template <class Wanted>
std::string textsOf(const Wanted& wanted) {
  const std::string rule(100, '-');
  std::string all = fmt::format("Footfall\n\n{}", kOwnLicense);
  for (const LicenseNotice& notice : licenseNotices())
    if (wanted(notice)) all += fmt::format("\n{}\n{} ({})\n\n{}", rule, notice.name, notice.home, notice.text);
  return all;
}

}  // namespace

const std::vector<LicenseNotice>& licenseNotices() {
  static const std::vector<LicenseNotice> notices = [] {
    std::vector<LicenseNotice> result;
    for (const std::string_view file : kLicenseFiles) result.push_back(noticeOf(file));
    return result;
  }();
  return notices;
}

std::string licenseTexts() {
  return textsOf([](const LicenseNotice&) { return true; });
}

std::string libraryLicenseTexts() {
  return textsOf([](const LicenseNotice& notice) { return notice.inside == "library"; });
}

}  // namespace footfall
