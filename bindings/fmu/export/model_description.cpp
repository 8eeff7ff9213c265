#include "export/model_description.hpp"

#include <fmt/format.h>
#include <tinyxml2.h>

#include <cctype>
#include <map>
#include <set>

#include "footfall/base/version.hpp"

namespace footfall::fmu {
namespace {

using tinyxml2::XMLElement;

/// Exponents of the SI units.
struct BaseUnit {
  int kg = 0, m = 0, s = 0, rad = 0;
};

const std::map<std::string, BaseUnit>& knownUnits() {
  static const std::map<std::string, BaseUnit> units{
      {"s", {0, 0, 1, 0}},      {"m", {0, 1, 0, 0}},     {"rad", {0, 0, 0, 1}},     {"m/s", {0, 1, -1, 0}},
      {"rad/s", {0, 0, -1, 1}}, {"m/s²", {0, 1, -2, 0}}, {"rad/s²", {0, 0, -2, 1}}, {"N", {1, 1, -2, 0}},
      {"N m", {1, 2, -2, 0}},   {"N s", {1, 1, -1, 0}},  {"N m s", {1, 2, -1, 0}},  {"J", {1, 2, -2, 0}},
      {"kg", {1, 0, 0, 0}},     {"kg m²", {1, 2, 0, 0}}, {"Hz", {0, 0, -1, 0}},     {"N m/s", {1, 2, -3, 0}},
      {"N/s", {1, 1, -3, 0}},
  };
  return units;
}

bool isPlain(const std::string& unit) { return unit.empty() || unit == "-"; }

/// Parts that are no identifiers are put into quotes, as the naming convention `structured` wants it.
std::string structuredName(const std::string& name) {
  std::string result, part;
  const auto finish = [&] {
    bool identifier = !part.empty() && std::isdigit(static_cast<unsigned char>(part[0])) == 0;
    for (const char c : part) identifier = identifier && (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_');
    result += fmt::format("{}{}{}{}", result.empty() ? "" : ".", identifier ? "" : "'", part, identifier ? "" : "'");
    part.clear();
  };
  for (const char c : name) {
    if (c == '.') {
      finish();
    } else {
      part += c;
    }
  }
  finish();
  return result;
}

/// Components without names have numbers: they are elements of an array.
std::string componentName(const Variable& variable, int k) {
  if (variable.components.empty()) return structuredName(variable.name);
  const std::string& component = variable.components[static_cast<std::size_t>(k)];
  if (std::isdigit(static_cast<unsigned char>(component[0])) != 0)
    return fmt::format("{}[{}]", structuredName(variable.name), component);
  return structuredName(variable.name + "." + component);
}

const char* nameOf(Causality causality) {
  switch (causality) {
    case Causality::independent:
      return "independent";
    case Causality::parameter:
      return "parameter";
    case Causality::input:
      return "input";
    case Causality::output:
      break;
  }
  return "output";
}

std::string listComponents(const Variable& variable) {
  if (!variable.components.empty() && variable.components[0] == "1") return variable.description;
  std::string text;
  for (const std::string& component : variable.components) text += (text.empty() ? "" : ", ") + component;
  return text.empty() ? variable.description : fmt::format("{} ({})", variable.description, text);
}

std::string numbers(const std::vector<double>& values) {
  std::string text;
  for (const double value : values) text += fmt::format("{}{}", text.empty() ? "" : " ", value);
  return text;
}

/// Writes one of the two versions.
class Writer {
 public:
  explicit Writer(const char* version) : root_(document_.NewElement("fmiModelDescription")) {
    document_.InsertEndChild(document_.NewDeclaration(R"(xml version="1.0" encoding="UTF-8")"));
    document_.InsertEndChild(root_);
    root_->SetAttribute("fmiVersion", version);
  }

  XMLElement* root() { return root_; }

  XMLElement* add(XMLElement* parent, const char* name) {
    XMLElement* element = document_.NewElement(name);
    parent->InsertEndChild(element);
    return element;
  }

  void addUnits(const std::vector<Variable>& variables) {
    std::set<std::string> used;
    for (const Variable& variable : variables)
      for (int k = 0; k < variable.size(); ++k)
        if (!isPlain(variable.unitOf(k))) used.insert(variable.unitOf(k));
    XMLElement* definitions = add(root_, "UnitDefinitions");
    for (const std::string& unit : used) {
      XMLElement* element = add(definitions, "Unit");
      element->SetAttribute("name", unit.c_str());
      const auto known = knownUnits().find(unit);
      if (known == knownUnits().end()) continue;
      XMLElement* base = add(element, "BaseUnit");
      for (const auto& [name, exponent] : {std::pair("kg", known->second.kg), std::pair("m", known->second.m),
                                           std::pair("s", known->second.s), std::pair("rad", known->second.rad)})
        if (exponent != 0) base->SetAttribute(name, exponent);
    }
  }

  void addCategories() {
    XMLElement* category = add(add(root_, "LogCategories"), "Category");
    category->SetAttribute("name", "logStatusError");
    category->SetAttribute("description", "Why a call did not return fmi2OK or fmi3OK");
  }

  void addExperiment(const ModelInfo& info) {
    XMLElement* experiment = add(root_, "DefaultExperiment");
    experiment->SetAttribute("startTime", "0");
    experiment->SetAttribute("stopTime", fmt::format("{}", info.duration).c_str());
    experiment->SetAttribute("stepSize", fmt::format("{}", info.step).c_str());
  }

  void describe(const ModelInfo& info, const char* token_name) {
    root_->SetAttribute("modelName", info.name.c_str());
    root_->SetAttribute(token_name, info.token.c_str());
    root_->SetAttribute("description", info.description.c_str());
    root_->SetAttribute("generationTool", fmt::format("Footfall {}", version()).c_str());
    root_->SetAttribute("variableNamingConvention", "structured");
  }

  static void describeVariable(XMLElement* element, const std::string& name, ValueReference reference,
                               const std::string& description, Causality causality) {
    element->SetAttribute("name", name.c_str());
    element->SetAttribute("valueReference", reference);
    element->SetAttribute("description", description.c_str());
    element->SetAttribute("causality", nameOf(causality));
    element->SetAttribute("variability", causality == Causality::parameter ? "fixed" : "continuous");
    if (causality == Causality::parameter) element->SetAttribute("initial", "exact");
  }

  std::string text() {
    tinyxml2::XMLPrinter printer;
    document_.Print(&printer);
    return printer.CStr();
  }

 private:
  tinyxml2::XMLDocument document_;
  XMLElement* root_;
};

void setCommonAbilities(XMLElement* co_simulation) {
  co_simulation->SetAttribute("modelIdentifier", kModelIdentifier);
  co_simulation->SetAttribute("canHandleVariableCommunicationStepSize", "true");
}

}  // namespace

std::string modelDescription2(const ModelInfo& info, const std::vector<Variable>& variables) {
  Writer writer("2.0");
  writer.describe(info, "guid");
  XMLElement* abilities = writer.add(writer.root(), "CoSimulation");
  setCommonAbilities(abilities);
  abilities->SetAttribute("canGetAndSetFMUstate", "true");
  abilities->SetAttribute("canSerializeFMUstate", "true");
  abilities->SetAttribute("canNotUseMemoryManagementFunctions", "true");
  writer.addUnits(variables);
  writer.addCategories();
  writer.addExperiment(info);

  XMLElement* list = writer.add(writer.root(), "ModelVariables");
  std::vector<int> outputs;  // numbers in the list, from 1 on
  int count = 0;
  for (const Variable& variable : variables) {
    for (int k = 0; k < variable.size(); ++k) {
      ++count;
      XMLElement* scalar = writer.add(list, "ScalarVariable");
      Writer::describeVariable(scalar, componentName(variable, k), variable.reference + static_cast<ValueReference>(k),
                               variable.description, variable.causality);
      XMLElement* real = writer.add(scalar, "Real");
      if (!isPlain(variable.unitOf(k))) real->SetAttribute("unit", variable.unitOf(k).c_str());
      if (!variable.start.empty())
        real->SetAttribute("start", fmt::format("{}", variable.start[static_cast<std::size_t>(k)]).c_str());
      if (variable.causality == Causality::output) outputs.push_back(count);
    }
  }

  XMLElement* structure = writer.add(writer.root(), "ModelStructure");
  for (const char* part : {"Outputs", "InitialUnknowns"}) {
    XMLElement* unknowns = writer.add(structure, part);
    for (const int index : outputs) writer.add(unknowns, "Unknown")->SetAttribute("index", index);
  }
  return writer.text();
}

std::string modelDescription3(const ModelInfo& info, const std::vector<Variable>& variables) {
  Writer writer("3.0");
  writer.describe(info, "instantiationToken");
  XMLElement* abilities = writer.add(writer.root(), "CoSimulation");
  setCommonAbilities(abilities);
  abilities->SetAttribute("canGetAndSetFMUState", "true");
  abilities->SetAttribute("canSerializeFMUState", "true");
  abilities->SetAttribute("fixedInternalStepSize", fmt::format("{}", info.step).c_str());
  writer.addUnits(variables);
  writer.addCategories();
  writer.addExperiment(info);

  XMLElement* list = writer.add(writer.root(), "ModelVariables");
  for (const Variable& variable : variables) {
    XMLElement* element = writer.add(list, "Float64");
    Writer::describeVariable(element, structuredName(variable.name), variable.reference, listComponents(variable),
                             variable.causality);
    if (!isPlain(variable.unit)) element->SetAttribute("unit", variable.unit.c_str());
    if (!variable.start.empty()) element->SetAttribute("start", numbers(variable.start).c_str());
    if (!variable.components.empty()) writer.add(element, "Dimension")->SetAttribute("start", variable.size());
  }

  XMLElement* structure = writer.add(writer.root(), "ModelStructure");
  for (const char* part : {"Output", "InitialUnknown"})
    for (const Variable& variable : variables)
      if (variable.causality == Causality::output)
        writer.add(structure, part)->SetAttribute("valueReference", variable.reference);
  return writer.text();
}

}  // namespace footfall::fmu
