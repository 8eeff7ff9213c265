#include "inside.hpp"

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

namespace footfall::python {
namespace {

/// Heaps and falls leave a tenth of it, and states of such runs may be restored without a word [m].
constexpr double kDeep = 1e-3;
constexpr std::size_t kMostNames = 4;

std::string millimetres(double depth) {
  char text[32];
  std::snprintf(text, sizeof text, depth < 0.1 ? "%.3g mm" : "%.0f mm", 1e3 * depth);
  return text;
}

/// "contact 'l_sole[0]' is 10 mm inside the ground"
std::string describe(const ContactReport& contact, const Model& model) {
  const std::string depth = millimetres(-contact.gap);
  const std::string& what = model.frames[contact.frame].name;
  if (contact.other.valid()) return "'" + what + "' is " + depth + " inside '" + model.frames[contact.other].name + "'";
  const bool has_name = contact.candidate >= 0 && contact.candidate < static_cast<int>(model.candidates.size());
  return "contact '" + (has_name ? model.candidates[contact.candidate].name : what) + "' is " + depth +
         " inside the ground";
}

}  // namespace

std::string whatStartsInside(const StepResult& result, const Model& model) {
  std::vector<const ContactReport*> deep;
  for (const ContactReport& contact : result.contacts)
    if (contact.gap < -kDeep) deep.push_back(&contact);
  if (deep.empty()) return {};
  std::sort(deep.begin(), deep.end(), [](const auto* a, const auto* b) { return a->gap < b->gap; });
  std::vector<std::string> places;  // two bodies touch in several
  for (const ContactReport* contact : deep) {
    std::string place = describe(*contact, model);
    if (std::find(places.begin(), places.end(), place) == places.end()) places.push_back(std::move(place));
  }
  std::string told = "state: it is one where ";
  for (std::size_t i = 0; i < std::min(places.size(), kMostNames); ++i) told += (i == 0 ? "" : ", ") + places[i];
  if (places.size() > kMostNames) told += ", and " + std::to_string(places.size() - kMostNames) + " more are deep, too";
  return told + ": a scene that starts so is refused, and what follows from it is no motion of this robot";
}

}  // namespace footfall::python
