#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "footfall/model/model.hpp"
#include "views.hpp"

namespace footfall::python {

/// Names of the joint coordinates, shared by all that is listed in their order.
using Names = std::shared_ptr<const std::vector<std::string>>;

Names jointNames(const Model& model);
/// Throws Error with the nearest names.
std::size_t indexOf(const std::vector<std::string>& names, const std::string& name);

/// One number for each joint, by name or by number. Looks into an array that somebody else keeps.
class JointValues {
 public:
  JointValues(nb::object array, Names names) : array_(std::move(array)), names_(std::move(names)) {}

  const nb::object& array() const { return array_; }
  const std::vector<std::string>& names() const { return *names_; }
  nb::object get(const nb::object& key) const { return array_[place(key)]; }
  void set(const nb::object& key, const nb::object& value) const { array_[place(key)] = value; }
  nb::dict toDict() const;

 private:
  nb::object place(const nb::object& key) const;

  nb::object array_;
  Names names_;
};

}  // namespace footfall::python
