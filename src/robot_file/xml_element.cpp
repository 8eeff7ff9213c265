#include "robot_file/xml_element.hpp"

#include <fmt/format.h>
#include <tinyxml2.h>

#include <cmath>

#include "footfall/base/internal/utf8.hpp"
#include "footfall/base/text_number.hpp"

namespace footfall {
namespace {

std::optional<double> finiteNumber(std::string_view text) {
  const std::optional<double> value = parseNumber(text);
  return value && std::isfinite(*value) ? value : std::nullopt;
}

std::string problemOf(const tinyxml2::XMLDocument& document) {
  switch (document.ErrorID()) {
    case tinyxml2::XML_ERROR_EMPTY_DOCUMENT:
      return "the file is empty";
    case tinyxml2::XML_ERROR_MISMATCHED_ELEMENT:
      return "an element is not closed, or closed by another name: the file is truncated or damaged";
    case tinyxml2::XML_ERROR_PARSING:
    case tinyxml2::XML_ERROR_PARSING_ELEMENT:
    case tinyxml2::XML_ERROR_PARSING_ATTRIBUTE:
      return "this is not XML, or it is truncated inside of an element";
    default:
      return fmt::format("this is not XML that can be read ({})", document.ErrorName());
  }
}

/// What a template includes and computes would be missing, silently.
void refuseTemplates(const tinyxml2::XMLElement& root, const std::string& source) {
  for (const auto* child = root.FirstChildElement(); child; child = child->NextSiblingElement()) {
    if (std::string_view(child->Name()).starts_with("xacro:"))
      throw XmlElement(*child, source, "robot")
          .error(fmt::format("<{}> belongs to a xacro template, which is not yet a robot", child->Name()),
                 "expand it first: xacro robot.xacro > robot.urdf (pip install xacro)");
  }
}

}  // namespace

XmlElement robotElement(const tinyxml2::XMLDocument& document, const std::string& source, const std::string& kind) {
  if (document.Error()) {
    throw Error(fmt::format("{}:{}", source, document.ErrorLineNum()), problemOf(document),
                fmt::format("{} starts with <robot name=\"…\"> and ends with </robot>", kind));
  }
  const tinyxml2::XMLElement* root = document.RootElement();
  if (!root) throw Error(source, "there is no element in the file", fmt::format("{} holds one <robot>", kind));
  XmlElement robot(*root, source, "robot");
  if (robot.tag() == "robot") {
    refuseTemplates(*root, source);
    return robot;
  }
  if (robot.tag() == "mujoco")
    throw robot.error("this is a model of MuJoCo (MJCF), expected <robot>",
                      "URDF and SDF files are read; most robots with an MJCF file have one of these, too");
  throw robot.error(fmt::format("the first element is <{}>, expected <robot>", robot.tag()),
                    fmt::format("{} holds one <robot>, an SDF file one <sdf>", kind));
}

XmlElement::XmlElement(const tinyxml2::XMLElement& element, std::string source, std::string subject)
    : element_(&element), source_(std::move(source)), subject_(std::move(subject)) {}

std::string XmlElement::tag() const { return element_->Name(); }

std::string XmlElement::where() const { return fmt::format("{}:{}", source_, element_->GetLineNum()); }

XmlElement XmlElement::named(std::string subject) const { return {*element_, source_, std::move(subject)}; }

std::optional<XmlElement> XmlElement::child(const char* tag) const {
  const tinyxml2::XMLElement* found = element_->FirstChildElement(tag);
  if (!found) return std::nullopt;
  return XmlElement(*found, source_, fmt::format("{}, <{}>", subject_, tag));
}

XmlElement XmlElement::requiredChild(const char* tag) const {
  if (auto found = child(tag)) return *found;
  throw error(fmt::format("<{}> is missing", tag));
}

std::vector<XmlElement> XmlElement::children(const char* tag) const {
  std::vector<XmlElement> found;
  for (auto* e = element_->FirstChildElement(tag); e; e = e->NextSiblingElement(tag))
    found.emplace_back(*e, source_, fmt::format("{}, <{}>", subject_, e->Name()));
  return found;
}

std::vector<std::string> XmlElement::attributes() const {
  std::vector<std::string> names;
  for (const auto* a = element_->FirstAttribute(); a; a = a->Next()) names.emplace_back(a->Name());
  return names;
}

bool XmlElement::has(const char* attribute) const { return element_->Attribute(attribute) != nullptr; }

std::string XmlElement::text(const char* attribute) const {
  const char* value = element_->Attribute(attribute);
  if (!value || !*value) throw error(fmt::format("attribute '{}' is {}", attribute, value ? "empty" : "missing"));
  return readable(value, fmt::format("attribute '{}'", attribute));
}

std::string XmlElement::text(const char* attribute, const std::string& fallback) const {
  if (!has(attribute)) return fallback;
  return readable(element_->Attribute(attribute), fmt::format("attribute '{}'", attribute));
}

/// Names become those of channels, keys and files, all of which are UTF-8. (Comments may be in anything.)
std::string XmlElement::readable(std::string text, const std::string& what) const {
  if (decodeUtf8(text).find(U'\uFFFD') == std::u32string::npos) return text;
  throw error(what + " is not in UTF-8", "convert the file: iconv -f ISO-8859-1 -t UTF-8 robot.urdf > robot_utf8.urdf");
}

double XmlElement::number(const char* attribute) const {
  if (const auto value = finiteNumber(text(attribute))) return *value;
  throw badAttribute(attribute, "a finite number");
}

double XmlElement::number(const char* attribute, double fallback) const {
  return has(attribute) ? number(attribute) : fallback;
}

Vector3d XmlElement::vector(const char* attribute) const { return numbers(attribute, 3); }

VectorXd XmlElement::numbers(const char* attribute, int count) const {
  const std::string value = text(attribute);
  const std::string how_many = count == 3 ? "three" : fmt::format("{}", count);
  const std::vector<std::string_view> words = splitWords(value);
  if (static_cast<int>(words.size()) != count) throw badAttribute(attribute, how_many + " numbers");
  VectorXd found(count);
  for (int i = 0; i < count; ++i) {
    const auto component = finiteNumber(words[i]);
    if (!component) throw badAttribute(attribute, how_many + " finite numbers");
    found[i] = *component;
  }
  return found;
}

Vector3d XmlElement::vector(const char* attribute, const Vector3d& fallback) const {
  return has(attribute) ? vector(attribute) : fallback;
}

std::string XmlElement::content() const {
  const char* inside = element_->GetText();
  const std::vector<std::string_view> words = splitWords(inside ? inside : "");
  if (words.empty()) return {};
  const auto size = static_cast<std::size_t>(words.back().data() + words.back().size() - words.front().data());
  return readable({words.front().data(), size}, "the text in it");
}

VectorXd XmlElement::contentNumbers(int count) const {
  const std::string inside = content();
  const std::vector<std::string_view> words = splitWords(inside);
  VectorXd numbers(count);
  for (int i = 0; i < count; ++i) {
    const auto number = i < static_cast<int>(words.size()) ? finiteNumber(words[i]) : std::nullopt;
    if (!number || static_cast<int>(words.size()) != count)
      throw error(fmt::format("'{}' is inside, expected {} finite number{}", inside, count, count == 1 ? "" : "s"));
    numbers[i] = *number;
  }
  return numbers;
}

Error XmlElement::error(const std::string& what, const std::string& hint) const {
  return Error(where(), fmt::format("{}: {}", subject_, what), hint);
}

Error XmlElement::badAttribute(const char* attribute, const std::string& expected) const {
  return error(fmt::format("{}=\"{}\", expected {}", attribute, element_->Attribute(attribute), expected));
}

}  // namespace footfall
