#include "footfall/keys/internal/scene_field.hpp"

#include <fmt/format.h>

#include <cmath>

#include "footfall/base/plugin.hpp"
#include "footfall/base/suggest.hpp"

namespace footfall {
namespace {

std::string describe(const Range& range) {
  const bool bounded_above = range.most < std::numeric_limits<double>::infinity();
  if (bounded_above) return fmt::format("{:.6g} to {:.6g}", range.least, range.most);
  return range.least_excluded ? fmt::format("more than {:.6g}", range.least)
                              : fmt::format("{:.6g} or more", range.least);
}

bool contains(const Range& range, double value) {
  return (range.least_excluded ? value > range.least : value >= range.least) && value <= range.most;
}

std::string rangeSchema(const Range& range) {
  std::string text;
  if (std::isfinite(range.least))
    text += fmt::format(", \"{}\": {}", range.least_excluded ? "exclusiveMinimum" : "minimum", range.least);
  if (std::isfinite(range.most)) text += fmt::format(", \"maximum\": {}", range.most);
  return text;
}

}  // namespace

double readNumber(const SceneValue& value, Quantity quantity, const Range& range) {
  const double number = value.number(quantity);
  if (!contains(range, number)) throw value.error(fmt::format("is {:.6g}, expected {}", number, describe(range)));
  return number;
}

Vector3d readVector(const SceneValue& value, Quantity quantity) {
  const std::vector<SceneValue> items = value.items();
  if (items.size() != 3) throw value.error(fmt::format("has {} entries, expected 3: [x, y, z]", items.size()));
  return {items[0].number(quantity), items[1].number(quantity), items[2].number(quantity)};
}

std::string readChoice(const SceneValue& value, const std::vector<std::string>& choices) {
  const std::string text = value.text();
  if (std::find(choices.begin(), choices.end(), text) != choices.end()) return text;
  throw value.error(fmt::format("is '{}', which is not one of the choices", text), suggestOrList(text, choices));
}

std::string readChoiceOrPlugin(const SceneValue& value, std::vector<std::string> choices, const std::string& kind) {
  for (const std::string& plugin : pluginNames(kind))
    if (std::find(choices.begin(), choices.end(), plugin) == choices.end()) choices.push_back(plugin);
  const std::string text = value.text();
  if (std::find(choices.begin(), choices.end(), text) != choices.end()) return text;
  const bool guessed = !nearestNames(text, choices).empty();
  throw value.error(fmt::format("is '{}', which is not one of the choices", text),
                    suggestOrList(text, choices) +
                        (guessed ? "" : "; `footfall doctor` lists plug-ins, and where they are looked for"));
}

std::map<std::string, double> readNumberMap(const SceneValue& value, Quantity quantity, const Range& range) {
  std::map<std::string, double> numbers;
  for (const auto& [key, entry] : value.entries()) numbers[key] = readNumber(entry, quantity, range);
  return numbers;
}

std::vector<std::string> readTexts(const SceneValue& value) {
  std::vector<std::string> texts;
  for (const SceneValue& item : value.items()) texts.push_back(item.text());
  return texts;
}

std::vector<std::string> readTwoTexts(const SceneValue& value, const char* what) {
  std::vector<std::string> texts = readTexts(value);
  if (texts.size() != 2) throw value.error(fmt::format("has {} entries, expected two {}", texts.size(), what));
  return texts;
}

std::uint64_t readCount(const SceneValue& value) {
  const double number = value.number(Quantity::plain);
  constexpr double kLargest = 9007199254740992.0;  // 2^53: above it, doubles skip whole numbers
  if (!(number >= 0.0 && number <= kLargest) || number != std::floor(number))
    throw value.error(fmt::format("is {:.6g}, expected a whole number, 0 or more", number));
  return static_cast<std::uint64_t>(number);
}

std::string numberSchema(Quantity quantity, const Range& range) {
  const std::string number = "\"type\": \"number\"" + rangeSchema(range);
  if (quantity == Quantity::plain) return number;
  return fmt::format(R"("anyOf": [{{{}}}, {{"type": "string", "pattern": {}}}])", number,
                     quoteJson(unitPattern(quantity)));
}

std::string vectorSchema(Quantity quantity) {
  return fmt::format(R"("type": "array", "minItems": 3, "maxItems": 3, "items": {{{}}})", numberSchema(quantity));
}

std::string choiceSchema(const std::vector<std::string>& choices) {
  std::string list;
  for (const std::string& choice : choices) list += (list.empty() ? "" : ", ") + quoteJson(choice);
  return "\"enum\": [" + list + "]";
}

std::string choiceOrPluginSchema(const std::vector<std::string>& choices) {
  return fmt::format(R"("anyOf": [{{{}}}, {{"type": "string"}}])", choiceSchema(choices));
}

std::string numberMapSchema(Quantity quantity, const Range& range) {
  return fmt::format(R"("type": "object", "additionalProperties": {{{}}})", numberSchema(quantity, range));
}

std::string listSchema(const std::string& item_schema) {
  return fmt::format(R"("type": "array", "items": {{{}}})", item_schema);
}

std::string twoTextsSchema() { return listSchema(R"("type": "string")") + R"(, "minItems": 2, "maxItems": 2)"; }

void refuseBeside(const SceneValue& section, const std::string& key, const std::string& other,
                  const std::string& hint) {
  if (section.has(key) && section.has(other))
    throw section.keyError(key, fmt::format("is given beside '{}'", other), hint);
}

void checkKnownKey(const SceneValue& section, const std::string& key, const std::vector<std::string>& known) {
  if (std::find(known.begin(), known.end(), key) == known.end())
    throw section.keyError(key, "is not a known key", suggestOrList(key, known));
}

}  // namespace footfall
