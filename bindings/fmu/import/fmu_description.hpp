#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace footfall::fmu {

/// A variable of an FMU that a diagram can connect or set.
struct ImportedVariable {
  std::string name, unit, description;
  std::uint32_t reference = 0;
  enum class Causality { input, output, parameter } causality = Causality::output;
  int size = 1;  ///< numbers: FMI 3 has arrays
  bool is_array = false;
  std::vector<double> start;  ///< empty: none is given
};

/// What a model description says, as far as a diagram wants to know it.
struct ImportedDescription {
  int version = 2;  ///< 2 or 3
  std::string model_name, identifier, token;
  bool can_save = false;  ///< get, set and serialize its state
  std::vector<ImportedVariable> variables;

  std::vector<const ImportedVariable*> with(ImportedVariable::Causality causality) const;
};

/// Throws Error for what is no co-simulation FMU of FMI 2.0 or 3.0, naming `path`.
ImportedDescription parseDescription(const std::string& xml, const std::string& path);

}  // namespace footfall::fmu
