#include "footfall/base/error.hpp"

#include <utility>

namespace footfall {
namespace {

std::string compose(const std::string& where, const std::string& what, const std::string& hint) {
  std::string text;
  if (!where.empty()) text.append(where).append(": ");
  text.append(what);
  if (!hint.empty()) text.append("\n  hint: ").append(hint);
  return text;
}

}  // namespace

Error::Error(std::string where, std::string what, std::string hint)
    : std::runtime_error(compose(where, what, hint)),
      where_(std::move(where)),
      problem_(std::move(what)),
      hint_(std::move(hint)) {}

}  // namespace footfall
