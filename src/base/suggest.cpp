#include "footfall/base/suggest.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

namespace footfall {
namespace {

int replacementCost(char a, char b) {
  if (a == b) return 0;
  const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
  return lower(a) == lower(b) ? 1 : 2;
}

/// A name that holds the other one whole (knee, l_knee) is near however many letters it has more.
bool holds(std::string_view longer, std::string_view part) {
  return part.size() >= 3 && longer.find(part) != std::string_view::npos;
}

std::string quotedList(const std::vector<std::string>& names, const char* last_separator) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 == names.size() ? last_separator : ", ";
    text += "'" + names[i] + "'";
  }
  return text;
}

}  // namespace

/// Two neighbours that have changed places count as one letter.
int editDistance(std::string_view a, std::string_view b) {
  std::vector<int> row(b.size() + 1), before(b.size() + 1), next(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = 2 * static_cast<int>(j);
  for (std::size_t i = 0; i < a.size(); ++i) {
    next[0] = row[0] + 2;
    for (std::size_t j = 0; j < b.size(); ++j) {
      next[j + 1] = std::min({row[j] + replacementCost(a[i], b[j]), next[j] + 2, row[j + 1] + 2});
      const bool swapped = i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j];
      if (swapped) next[j + 1] = std::min(next[j + 1], before[j - 1] + 2);
    }
    before.swap(row);
    row.swap(next);
  }
  return row.back();
}

std::vector<std::string> nearestNames(std::string_view name, const std::vector<std::string>& known, int most) {
  // A third of the letters may be wrong: beyond that a suggestion is a guess.
  const int limit = std::max<int>(2, 2 * static_cast<int>(name.size()) / 3);
  std::vector<std::pair<int, std::string>> near, related;
  for (const std::string& candidate : known) {
    const int distance = editDistance(name, candidate);
    if (distance <= limit) near.emplace_back(distance, candidate);
    if (holds(candidate, name) || holds(name, candidate)) related.emplace_back(distance, candidate);
  }
  if (near.empty()) near = std::move(related);
  std::stable_sort(near.begin(), near.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> names;
  for (const auto& [distance, candidate] : near) {
    if (static_cast<int>(names.size()) == most) break;
    if (std::find(names.begin(), names.end(), candidate) != names.end()) continue;  // known from two places
    names.push_back(candidate);
  }
  return names;
}

std::string didYouMean(std::string_view name, const std::vector<std::string>& known) {
  const std::vector<std::string> near = nearestNames(name, known);
  return near.empty() ? "" : "did you mean " + quotedList(near, " or ") + "?";
}

std::string suggestOrList(std::string_view name, const std::vector<std::string>& known) {
  constexpr std::size_t kMostListed = 12;
  const std::string suggestion = didYouMean(name, known);
  if (!suggestion.empty()) return suggestion;
  if (known.empty()) return "there are none";
  std::vector<std::string> listed(known.begin(), known.begin() + std::min(known.size(), kMostListed));
  std::string text = "known: " + quotedList(listed, ", ");
  if (known.size() > kMostListed) text += " and " + std::to_string(known.size() - kMostListed) + " more";
  return text;
}

}  // namespace footfall
