#pragma once

#include <optional>
#include <string>
#include <vector>

#include "footfall/base/error.hpp"
#include "footfall/spatial/pose.hpp"

namespace tinyxml2 {
class XMLDocument;
class XMLElement;
}  // namespace tinyxml2

namespace footfall {

/// An XML element that reads its attributes with errors that say file, line and whose attribute it was.
class XmlElement {
 public:
  XmlElement(const tinyxml2::XMLElement& element, std::string source, std::string subject);

  std::string tag() const;
  std::string where() const;                               ///< "icub.urdf:212"
  const std::string& subject() const { return subject_; }  ///< "joint 'l_knee'"

  std::optional<XmlElement> child(const char* tag) const;
  XmlElement requiredChild(const char* tag) const;
  std::vector<XmlElement> children(const char* tag = nullptr) const;
  XmlElement named(std::string subject) const;  ///< the same element, called otherwise in errors

  std::vector<std::string> attributes() const;  ///< their names
  bool has(const char* attribute) const;
  std::string text(const char* attribute) const;
  std::string text(const char* attribute, const std::string& fallback) const;
  double number(const char* attribute) const;
  double number(const char* attribute, double fallback) const;
  Vector3d vector(const char* attribute) const;
  Vector3d vector(const char* attribute, const Vector3d& fallback) const;
  VectorXd numbers(const char* attribute, int count) const;

  std::string content() const;               ///< the text inside, without spaces around it
  VectorXd contentNumbers(int count) const;  ///< the numbers inside

  Error error(const std::string& what, const std::string& hint = {}) const;

 private:
  Error badAttribute(const char* attribute, const std::string& expected) const;
  std::string readable(std::string text, const std::string& what) const;

  const tinyxml2::XMLElement* element_;
  std::string source_, subject_;
};

/// The `<robot>` of a file of this kind ("a URDF file"); throws Error where the text is no XML, or of another kind.
XmlElement robotElement(const tinyxml2::XMLDocument& document, const std::string& source, const std::string& kind);

}  // namespace footfall
