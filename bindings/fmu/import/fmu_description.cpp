#include "import/fmu_description.hpp"

#include <fmt/format.h>
#include <tinyxml2.h>

#include <algorithm>
#include <cctype>
#include <optional>

#include "footfall/base/error.hpp"
#include "footfall/base/text_number.hpp"

namespace footfall::fmu {
namespace {

using tinyxml2::XMLElement;

std::string attribute(const XMLElement& element, const char* name) {
  const char* value = element.Attribute(name);
  return value == nullptr ? "" : value;
}

std::optional<ImportedVariable::Causality> causalityOf(const XMLElement& element) {
  const std::string text = attribute(element, "causality");
  if (text == "input") return ImportedVariable::Causality::input;
  if (text == "output") return ImportedVariable::Causality::output;
  if (text == "parameter") return ImportedVariable::Causality::parameter;
  return std::nullopt;  // local, independent and calculated ones are no business of a diagram
}

std::vector<double> numbersIn(const std::string& text) {
  std::vector<double> numbers;
  for (const std::string_view word : splitWords(text))
    if (const auto number = parseNumber(word)) numbers.push_back(*number);
  return numbers;
}

/// It becomes part of a path: one with slashes would lead to a library outside of the FMU.
void checkIdentifier(const std::string& identifier, const std::string& path) {
  const auto allowed = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
  if (identifier.empty() || !std::all_of(identifier.begin(), identifier.end(), allowed))
    throw Error(path, "its modelIdentifier is not made of letters, digits and underscores");
}

/// What FMI 2 and 3 write in the same way.
std::optional<ImportedVariable> commonPart(const XMLElement& element) {
  const auto causality = causalityOf(element);
  if (!causality) return std::nullopt;
  ImportedVariable variable;
  variable.name = attribute(element, "name");
  variable.description = attribute(element, "description");
  variable.reference = element.UnsignedAttribute("valueReference");
  variable.causality = *causality;
  return variable;
}

void readVariables2(const XMLElement& list, ImportedDescription& description) {
  for (const XMLElement* e = list.FirstChildElement("ScalarVariable"); e != nullptr;
       e = e->NextSiblingElement("ScalarVariable")) {
    const XMLElement* real = e->FirstChildElement("Real");
    auto variable = commonPart(*e);
    if (real == nullptr || !variable) continue;
    variable->unit = attribute(*real, "unit");
    variable->start = numbersIn(attribute(*real, "start"));
    description.variables.push_back(std::move(*variable));
  }
}

void readVariables3(const XMLElement& list, const std::string& path, ImportedDescription& description) {
  for (const XMLElement* e = list.FirstChildElement("Float64"); e != nullptr; e = e->NextSiblingElement("Float64")) {
    auto variable = commonPart(*e);
    if (!variable) continue;
    for (const XMLElement* d = e->FirstChildElement("Dimension"); d != nullptr;
         d = d->NextSiblingElement("Dimension")) {
      if (d->Attribute("start") == nullptr)
        throw Error(path, fmt::format("the size of '{}' follows from a parameter of the FMU, which is not supported",
                                      variable->name));
      constexpr int kLargest = 1'000'000;
      const int size = d->IntAttribute("start", -1);
      if (size < 0 || (size > 0 && variable->size > kLargest / size))
        throw Error(path, fmt::format("'{}' has dimensions that are not whole numbers, or more than {} numbers",
                                      variable->name, kLargest));
      variable->is_array = true;
      variable->size *= size;
    }
    variable->unit = attribute(*e, "unit");
    variable->start = numbersIn(attribute(*e, "start"));
    description.variables.push_back(std::move(*variable));
  }
}

}  // namespace

std::vector<const ImportedVariable*> ImportedDescription::with(ImportedVariable::Causality causality) const {
  std::vector<const ImportedVariable*> chosen;
  for (const ImportedVariable& variable : variables)
    if (variable.causality == causality) chosen.push_back(&variable);
  return chosen;
}

ImportedDescription parseDescription(const std::string& xml, const std::string& path) {
  tinyxml2::XMLDocument document;
  if (document.Parse(xml.data(), xml.size()) != tinyxml2::XML_SUCCESS)
    throw Error(path, fmt::format("its modelDescription.xml cannot be read: {}", document.ErrorStr()));
  const XMLElement* root = document.RootElement();
  if (root == nullptr) throw Error(path, "its modelDescription.xml holds no element");
  const std::string version = attribute(*root, "fmiVersion");
  ImportedDescription description;
  if (version.starts_with("2.")) {
    description.version = 2;
  } else if (version.starts_with("3.")) {
    description.version = 3;
  } else {
    throw Error(path, fmt::format("it is an FMU of FMI '{}', expected 2.0 or 3.0", version));
  }
  const bool two = description.version == 2;
  const XMLElement* co_simulation = root->FirstChildElement("CoSimulation");
  if (co_simulation == nullptr)
    throw Error(path, "it is no FMU for co-simulation", "export it for co-simulation from the tool that made it");
  description.model_name = attribute(*root, "modelName");
  description.token = attribute(*root, two ? "guid" : "instantiationToken");
  description.identifier = attribute(*co_simulation, "modelIdentifier");
  checkIdentifier(description.identifier, path);
  description.can_save = co_simulation->BoolAttribute(two ? "canGetAndSetFMUstate" : "canGetAndSetFMUState") &&
                         co_simulation->BoolAttribute(two ? "canSerializeFMUstate" : "canSerializeFMUState");
  const XMLElement* list = root->FirstChildElement("ModelVariables");
  if (list == nullptr) throw Error(path, "its model description has no variables");
  if (two) {
    readVariables2(*list, description);
  } else {
    readVariables3(*list, path, description);
  }
  return description;
}

}  // namespace footfall::fmu
