#include "names.hpp"

#include <algorithm>

#include "footfall/base/error.hpp"
#include "footfall/base/suggest.hpp"

namespace footfall::python {

Names jointNames(const Model& model) {
  std::vector<std::string> names;
  for (const Dof& dof : model.dofs) names.push_back(dof.name);
  return std::make_shared<const std::vector<std::string>>(std::move(names));
}

std::size_t indexOf(const std::vector<std::string>& names, const std::string& name) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) throw Error("", "there is no joint '" + name + "'", suggestOrList(name, names));
  return static_cast<std::size_t>(found - names.begin());
}

nb::object JointValues::place(const nb::object& key) const {
  if (!nb::isinstance<nb::str>(key)) return key;
  return nb::int_(indexOf(*names_, nb::cast<std::string>(key)));
}

nb::dict JointValues::toDict() const {
  nb::dict values;
  for (std::size_t i = 0; i < names_->size(); ++i) values[(*names_)[i].c_str()] = nb::float_(nb::object(array_[i]));
  return values;
}

}  // namespace footfall::python
