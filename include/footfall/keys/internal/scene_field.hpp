#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <type_traits>
#include <vector>

#include "footfall/base/internal/json_text.hpp"
#include "footfall/keys/internal/scene_value.hpp"
#include "footfall/spatial/pose.hpp"

namespace footfall {

// One table of keys describes a section of a scene file: from it come the reader, the check for unknown keys and
// the schema for editors, so that they cannot disagree.

/// A key of a section that is read into a struct.
template <class Section>
struct Field {
  std::string name;
  std::string help;    ///< one line
  std::string schema;  ///< JSON of what is allowed, without the braces around it
  std::function<void(const SceneValue&, Section&)> read;
  bool required = false;
};

template <class Section>
using FieldTable = std::vector<Field<Section>>;

/// Allowed values of a number.
struct Range {
  double least = -std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();
  bool least_excluded = false;  ///< must be more than `least`
};

inline Range positive() { return {0.0, std::numeric_limits<double>::infinity(), true}; }
inline Range atLeast(double least) { return {least, std::numeric_limits<double>::infinity(), false}; }
inline Range between(double least, double most) { return {least, most, false}; }

double readNumber(const SceneValue& value, Quantity quantity, const Range& range = {});
Vector3d readVector(const SceneValue& value, Quantity quantity);
std::string readChoice(const SceneValue& value, const std::vector<std::string>& choices);
/// One of the choices, or the name of a plug-in of this kind that is there.
std::string readChoiceOrPlugin(const SceneValue& value, std::vector<std::string> choices, const std::string& kind);
std::map<std::string, double> readNumberMap(const SceneValue& value, Quantity quantity, const Range& range = {});
std::vector<std::string> readTexts(const SceneValue& value);
/// Two of them; `what` they are, for errors: "frames".
std::vector<std::string> readTwoTexts(const SceneValue& value, const char* what);
std::uint64_t readCount(const SceneValue& value);  ///< a whole number, 0 or more

std::string numberSchema(Quantity quantity, const Range& range = {});
std::string vectorSchema(Quantity quantity);
std::string choiceSchema(const std::vector<std::string>& choices);
std::string choiceOrPluginSchema(const std::vector<std::string>& choices);
std::string numberMapSchema(Quantity quantity, const Range& range = {});
std::string listSchema(const std::string& item_schema);
std::string twoTextsSchema();

template <class S>
Field<S> numberField(std::string name, double S::*member, Quantity quantity, Range range, std::string help) {
  return {std::move(name), std::move(help), numberSchema(quantity, range),
          [=](const SceneValue& value, S& section) { section.*member = readNumber(value, quantity, range); }};
}

template <class S>
Field<S> vectorField(std::string name, Vector3d S::*member, Quantity quantity, std::string help) {
  return {std::move(name), std::move(help), vectorSchema(quantity),
          [=](const SceneValue& value, S& section) { section.*member = readVector(value, quantity); }};
}

template <class S>
Field<S> textField(std::string name, std::string S::*member, std::string help) {
  return {std::move(name), std::move(help), R"("type": "string")",
          [=](const SceneValue& value, S& section) { section.*member = value.text(); }};
}

template <class S>
Field<S> choiceField(std::string name, std::string S::*member, const std::vector<std::string>& choices,
                     std::string help) {
  return {std::move(name), std::move(help), choiceSchema(choices),
          [=](const SceneValue& value, S& section) { section.*member = readChoice(value, choices); }};
}

template <class S>
Field<S> choiceOrPluginField(std::string name, std::string S::*member, const std::vector<std::string>& choices,
                             const std::string& kind, std::string help) {
  return {std::move(name), std::move(help), choiceOrPluginSchema(choices),
          [=](const SceneValue& value, S& section) { section.*member = readChoiceOrPlugin(value, choices, kind); }};
}

template <class S>
Field<S> flagField(std::string name, bool S::*member, std::string help) {
  return {std::move(name), std::move(help), R"("type": "boolean")",
          [=](const SceneValue& value, S& section) { section.*member = value.flag(); }};
}

template <class S>
Field<S> numberMapField(std::string name, std::map<std::string, double> S::*member, Quantity quantity, Range range,
                        std::string help) {
  return {std::move(name), std::move(help), numberMapSchema(quantity, range),
          [=](const SceneValue& value, S& section) { section.*member = readNumberMap(value, quantity, range); }};
}

template <class S>
Field<S> countField(std::string name, std::uint64_t S::*member, std::string help) {
  return {std::move(name), std::move(help), R"("type": "integer", "minimum": 0)",
          [=](const SceneValue& value, S& section) { section.*member = readCount(value); }};
}

template <class S>
Field<S> required(Field<S> field) {
  field.required = true;
  return field;
}

/// Throws Error for a key that is not in `known`, with the nearest one.
void checkKnownKey(const SceneValue& section, const std::string& key, const std::vector<std::string>& known);

/// Throws Error where a section has two keys of which the first would say nothing beside the second.
void refuseBeside(const SceneValue& section, const std::string& key, const std::string& other, const std::string& hint);

/// Of a section that has been read: keys that contradict each other, or would say nothing.
template <class S>
using SectionCheck = std::function<void(const SceneValue&, S&)>;

/// Reads every key of a section by the table.
template <class S>
void readSection(const SceneValue& value, const FieldTable<S>& table, S& section, const SectionCheck<S>& check = {}) {
  std::vector<std::string> known, given;
  for (const Field<S>& field : table) known.push_back(field.name);
  for (const auto& [key, entry] : value.entries()) {
    checkKnownKey(value, key, known);
    given.push_back(key);
    for (const Field<S>& field : table)
      if (field.name == key) field.read(entry, section);
  }
  for (const Field<S>& field : table)
    if (field.required && std::find(given.begin(), given.end(), field.name) == given.end())
      throw value.error("has no '" + field.name + "', which is needed", field.help);
  if (check) check(value, section);
}

/// JSON of a section, without the braces around it.
template <class S>
std::string sectionSchema(const FieldTable<S>& table) {
  std::string properties, needed;
  for (const Field<S>& field : table) {
    properties += (properties.empty() ? "" : ", ") + quoteJson(field.name) +
                  ": {\"description\": " + quoteJson(field.help) + ", " + field.schema + "}";
    if (field.required) needed += (needed.empty() ? "" : ", ") + quoteJson(field.name);
  }
  std::string schema = R"("type": "object", "additionalProperties": false, )";
  if (!needed.empty()) schema += "\"required\": [" + needed + "], ";
  return schema + "\"properties\": {" + properties + "}";
}

/// A section of its own inside of another one.
template <class Outer, class Inner>
Field<Outer> sectionField(std::string name, Inner Outer::*member, const FieldTable<Inner>& table, std::string help,
                          const SectionCheck<std::type_identity_t<Inner>>& check = {}) {
  std::string schema = sectionSchema(table);
  return {std::move(name), std::move(help), std::move(schema), [=](const SceneValue& value, Outer& outer) {
            (outer.*member).where = value.where();
            readSection(value, table, outer.*member, check);
          }};
}

/// Keys that are grouped in the file and live in the same struct.
template <class S>
Field<S> groupField(std::string name, const FieldTable<S>& table, std::string help,
                    const SectionCheck<std::type_identity_t<S>>& check = {}) {
  std::string schema = sectionSchema(table);
  return {std::move(name), std::move(help), std::move(schema),
          [=](const SceneValue& value, S& section) { readSection(value, table, section, check); }};
}

template <class Outer, class Inner>
Field<Outer> sectionListField(std::string name, std::vector<Inner> Outer::*member, const FieldTable<Inner>& table,
                              std::string help, const SectionCheck<std::type_identity_t<Inner>>& check = {}) {
  std::string schema = listSchema(sectionSchema(table));
  return {std::move(name), std::move(help), std::move(schema), [=](const SceneValue& value, Outer& outer) {
            for (const SceneValue& item : value.items()) {
              Inner inner;
              inner.where = item.where();
              readSection(item, table, inner, check);
              (outer.*member).push_back(std::move(inner));
            }
          }};
}

}  // namespace footfall
