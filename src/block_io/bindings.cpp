#include "block_io/bindings.hpp"

#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "footfall/base/error.hpp"
#include "footfall/base/suggest.hpp"
#include "footfall/base/text_number.hpp"

namespace footfall {
namespace {

bool isNameLetter(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// A `$name` in a text.
struct Reference {
  std::string name;
  std::size_t length;  ///< of the whole, with the dollar
};

/// The reference at the beginning of `text`, which starts with a dollar.
std::optional<Reference> referenceAt(std::string_view text, const std::string& where) {
  const char bracket = text.size() > 1 ? text[1] : '\0';
  if (bracket == '{' || bracket == '(') {
    const std::size_t end = text.find(bracket == '{' ? '}' : ')');
    if (end == std::string_view::npos)
      throw Error(where, fmt::format("'{}' has no closing bracket", text), "$foot, ${foot} or $(foot)");
    return Reference{std::string(text.substr(2, end - 2)), end + 1};
  }
  std::size_t end = 1;
  while (end < text.size() && isNameLetter(text[end])) ++end;
  if (end == 1) return std::nullopt;
  return Reference{std::string(text.substr(1, end - 1)), end};
}

constexpr int kMostRepeats = 20'000;       ///< of a single `for`
constexpr std::size_t kMost = 10'000'000;  ///< letters and values that a diagram is made of
constexpr std::size_t kPartCost = kMost / kMostRepeats;

std::size_t sizeOf(const ParameterValue& value) {
  std::size_t size = 1;
  if (const auto* list = std::get_if<ParameterValue::List>(&value.value))
    for (const ParameterValue& item : *list) size += sizeOf(item);
  if (const auto* map = std::get_if<ParameterValue::Map>(&value.value))
    for (const auto& [key, entry] : *map) size += sizeOf(entry);
  if (const auto* text = std::get_if<std::string>(&value.value)) size += text->size();
  return size;
}

ParameterValue typed(const std::string& text) {
  if (text == "true" || text == "false") return text == "true";
  if (const auto number = parseNumber(text)) return *number;
  return text;
}

/// A value as a part of a text.
std::string asText(const ParameterValue& value, const std::string& name, const std::string& where) {
  if (const auto* text = std::get_if<std::string>(&value.value)) return *text;
  if (const auto* number = std::get_if<double>(&value.value)) return fmt::format("{}", *number);
  if (const auto* flag = std::get_if<bool>(&value.value)) return *flag ? "true" : "false";
  throw Error(where, fmt::format("'${}' is a list or a map, and cannot be part of a text", name),
              "write it alone, or go through it with `for`");
}

ParameterValue at(ParameterValue value, const std::string& where) {
  value.where = where;
  return value;
}

}  // namespace

void Bindings::count(std::size_t made, const std::string& where) const {
  *made_ += made;
  if (*made_ > kMost)
    throw Error(where, "the diagram becomes too large here", "`for` and `$name` inside of each other multiply");
}

void Bindings::countPart(const std::string& where) const { count(kPartCost, where); }

void Bindings::set(const std::string& name, ParameterValue value) {
  for (auto& [known, old] : values_) {
    if (known != name) continue;
    old = std::move(value);
    return;
  }
  values_.emplace_back(name, std::move(value));
}

const ParameterValue& Bindings::find(const std::string& name, const std::string& where) const {
  const std::size_t dot = name.find('.');
  const std::string first = name.substr(0, dot);
  const ParameterValue* found = nullptr;
  std::vector<std::string> known;
  for (const auto& [key, value] : values_) {
    known.push_back(key);
    if (key == first) found = &value;
  }
  if (found == nullptr)
    throw Error(where, fmt::format("nothing is called '${}' here", first),
                known.empty() ? "names come from `parameters` and `for`" : suggestOrList(first, known));
  if (dot == std::string::npos) return *found;
  const std::string key = name.substr(dot + 1);
  if (const auto* map = std::get_if<ParameterValue::Map>(&found->value))
    for (const auto& [entry, value] : *map)
      if (entry == key) return value;
  throw Error(where, fmt::format("'${}' has no entry '{}'", first, key));
}

std::string Bindings::fill(const std::string& text, const std::string& where) const {
  std::string result;
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] != '$') {
      result += text[i++];
    } else if (text.compare(i, 2, "$$") == 0) {
      result += '$';
      i += 2;
    } else if (const auto reference = referenceAt(std::string_view(text).substr(i), where)) {
      const std::string value = asText(find(reference->name, where), reference->name, where);
      count(value.size(), where);
      result += value;
      i += reference->length;
    } else {
      result += text[i++];
    }
  }
  return result;
}

ParameterValue Bindings::evaluate(const SceneTree& tree) const {
  switch (tree.kind) {
    case SceneTree::Kind::none:
      return {};
    case SceneTree::Kind::list: {
      ParameterValue::List list;
      for (const SceneTree& item : tree.items) list.push_back(evaluate(item));
      return at(std::move(list), tree.where);
    }
    case SceneTree::Kind::map: {
      ParameterValue::Map map;
      for (const auto& [key, entry] : tree.entries) map.emplace_back(fill(key, entry.where), evaluate(entry));
      return at(std::move(map), tree.where);
    }
    case SceneTree::Kind::text:
      break;
  }
  if (tree.text.size() > 1 && tree.text[0] == '$' && tree.text[1] != '$') {
    const auto reference = referenceAt(tree.text, tree.where);
    if (reference && reference->length == tree.text.size()) {
      const ParameterValue& value = find(reference->name, tree.where);
      count(sizeOf(value), tree.where);
      return at(value, tree.where);
    }
  }
  const std::string text = fill(tree.text, tree.where);
  return at(tree.quoted ? ParameterValue(text) : typed(text), tree.where);
}

void Bindings::forEach(const SceneRepeats& repeats, const std::function<void(const Bindings&)>& visit) const {
  forEachFrom(0, repeats, visit);
}

void Bindings::forEachFrom(std::size_t repeat, const SceneRepeats& repeats,
                           const std::function<void(const Bindings&)>& visit) const {
  if (repeat == repeats.size()) return visit(*this);
  const SceneTree& tree = repeats[repeat].values;
  const ParameterValue values = evaluate(tree);
  ParameterValue::List list;
  if (const auto* given = std::get_if<ParameterValue::List>(&values.value)) {
    list = *given;
  } else if (const auto* count = std::get_if<double>(&values.value);
             count != nullptr && *count >= 0.0 && *count == std::floor(*count)) {
    if (*count > kMostRepeats)
      throw Error(tree.where,
                  fmt::format("`for` goes through {} numbers, at most {} are allowed", *count, kMostRepeats));
    for (int k = 0; k < static_cast<int>(*count); ++k) list.emplace_back(k);
  } else {
    throw Error(tree.where,
                fmt::format("`for` goes through '{}', which is neither a list nor a whole number", tree.text),
                "for: {foot: [l_sole, r_sole]}");
  }
  for (std::size_t k = 0; k < list.size(); ++k) {
    countPart(tree.where);
    Bindings inner = *this;
    inner.set(repeats[repeat].variable, list[k]);
    inner.set(repeats[repeat].variable + "_index", static_cast<int>(k));
    inner.set(repeats[repeat].variable + "_number", static_cast<int>(k) + 1);
    inner.forEachFrom(repeat + 1, repeats, visit);
  }
}

}  // namespace footfall
