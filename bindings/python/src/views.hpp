#pragma once

#include <nanobind/eigen/dense.h>
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <utility>

#include "footfall/spatial/pose.hpp"

namespace footfall::python {

namespace nb = nanobind;
using namespace nanobind::literals;

using Array = nb::ndarray<nb::numpy, double>;
/// What users may hand over where a row of numbers is wanted: arrays, lists, tuples. A copy.
struct Numbers : VectorXd {
  using VectorXd::VectorXd;
};

/// The numbers themselves, not a copy; they live as long as `owner`.
Array viewOf(double* data, Eigen::Index size, nb::handle owner);
inline Array viewOf(VectorXd& vector, nb::handle owner) { return viewOf(vector.data(), vector.size(), owner); }

/// An array that belongs to nobody else: properties may return it without being its owner.
struct Copy {
  Array array;
};

/// A copy that refuses to be written into: what is written there would arrive nowhere.
struct Constant {
  nb::ndarray<nb::numpy, const double> array;
};
Constant constant(const Copy& copy);

/// A fresh array, in numpy's order of rows and columns.
Copy copyOf(const VectorXd& vector);
Copy copyOf(const MatrixXd& matrix);
/// X_AB as a 4 × 4 matrix.
Copy copyOf(const Pose& pose);

/// Throws Error (ValueError in Python) when there are not `size` finite numbers. `name` says what they are.
void requireNumbers(const std::string& name, const VectorXd& values, Eigen::Index size);

/// What a part of the user's returned: `size` finite numbers. Throws TypeError or Error, with its name.
Numbers numbersFrom(const std::string& name, nb::handle returned, Eigen::Index size);

/// Copies `values` into `target`, which keeps its size.
void assign(const std::string& name, const Numbers& values, Eigen::Ref<VectorXd> target);

/// A contiguous row of C++ structures as a numpy record array with these fields. Not a copy.
template <class T>
nb::object recordsOf(T* first, std::size_t count, nb::handle dtype, nb::handle owner) {
  const auto bytes = nb::ndarray<nb::numpy, std::uint8_t, nb::ndim<1>>(first, {count * sizeof(T)}, owner);
  static const nb::object recarray = nb::module_::import_("numpy").attr("recarray");
  return nb::cast(bytes).attr("view")(dtype, recarray);
}

void bindErrors(nb::module_& module);
void bindModel(nb::module_& module);
void bindState(nb::module_& module);
void bindDynamics(nb::module_& module);
void bindContactModel(nb::module_& module);
void bindIntegrator(nb::module_& module);
void bindResult(nb::module_& module);
void bindSimulation(nb::module_& module);
void bindWorkers(nb::module_& module);
void bindLog(nb::module_& module);
void bindDiagram(nb::module_& module);
void bindBatch(nb::module_& module);
void bindStudy(nb::module_& module);

}  // namespace footfall::python

namespace nanobind::detail {

template <>
struct type_caster<footfall::python::Numbers> {
  NB_TYPE_CASTER(footfall::python::Numbers, const_name("numpy.typing.ArrayLike"))

  bool from_python(handle source, std::uint8_t, cleanup_list*) noexcept {
    using Row = ndarray<const double, ndim<1>, c_contig, device::cpu>;
    Row row;
    try {
      const object numpy = module_::import_("numpy");
      const object given = numpy.attr("asarray")(source);
      // Only what becomes a number without loss: no texts, no None, no imaginary parts.
      if (!cast<bool>(numpy.attr("can_cast")(given.attr("dtype"), "float64", "same_kind")) ||
          !try_cast(numpy.attr("ascontiguousarray")(given, "float64"), row))
        return false;
    } catch (python_error&) {  // it is no row of numbers: the caller says what was expected
      return false;
    }
    value = Eigen::Map<const Eigen::VectorXd>(row.data(), static_cast<Eigen::Index>(row.size()));
    return true;
  }

  static handle from_cpp(const footfall::python::Numbers& numbers, rv_policy, cleanup_list*) noexcept {
    return cast(footfall::python::copyOf(numbers).array).release();
  }
};

template <class Array, class Owner>
struct owner_caster {
  using Inner = make_caster<Array>;
  NB_TYPE_CASTER(Owner, Inner::Name)

  bool from_python(handle, std::uint8_t, cleanup_list*) noexcept { return false; }
  static handle from_cpp(const Owner& owner, rv_policy, cleanup_list* cleanup) noexcept {
    return Inner::from_cpp(owner.array, rv_policy::reference, cleanup);
  }
};

template <>
struct type_caster<footfall::python::Copy> : owner_caster<footfall::python::Array, footfall::python::Copy> {};

template <>
struct type_caster<footfall::python::Constant>
    : owner_caster<ndarray<numpy, const double>, footfall::python::Constant> {};

}  // namespace nanobind::detail
