#include "views.hpp"

#include <cmath>
#include <memory>

#include "footfall/base/error.hpp"

namespace footfall::python {
namespace {

/// Hands memory over to numpy.
Copy giveAway(std::unique_ptr<double[]> data, std::initializer_list<std::size_t> shape) {
  double* first = data.release();
  const nb::capsule owner(first, [](void* p) noexcept { delete[] static_cast<double*>(p); });
  return {Array(first, shape, owner)};
}

}  // namespace

Array viewOf(double* data, Eigen::Index size, nb::handle owner) {
  return Array(data, {static_cast<std::size_t>(size)}, owner);
}

Copy copyOf(const VectorXd& vector) {
  auto data = std::make_unique<double[]>(static_cast<std::size_t>(vector.size()));
  std::copy(vector.data(), vector.data() + vector.size(), data.get());
  return giveAway(std::move(data), {static_cast<std::size_t>(vector.size())});
}

Copy copyOf(const MatrixXd& matrix) {
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  auto data = std::make_unique<double[]>(static_cast<std::size_t>(matrix.size()));
  Eigen::Map<RowMajor>(data.get(), matrix.rows(), matrix.cols()) = matrix;
  return giveAway(std::move(data), {static_cast<std::size_t>(matrix.rows()), static_cast<std::size_t>(matrix.cols())});
}

Copy copyOf(const Pose& pose) {
  MatrixXd X = MatrixXd::Identity(4, 4);
  X.topLeftCorner<3, 3>() = pose.R;
  X.topRightCorner<3, 1>() = pose.p;
  return copyOf(X);
}

Constant constant(const Copy& copy) {
  std::vector<std::size_t> shape(copy.array.ndim());
  for (std::size_t i = 0; i < shape.size(); ++i) shape[i] = copy.array.shape(i);
  return {nb::ndarray<nb::numpy, const double>(copy.array.data(), shape.size(), shape.data(), nb::cast(copy))};
}

void requireNumbers(const std::string& name, const VectorXd& values, Eigen::Index size) {
  if (values.size() != size)
    throw Error(name, "it has " + std::to_string(values.size()) + " entries, expected " + std::to_string(size));
  for (Eigen::Index i = 0; i < size; ++i)
    if (!std::isfinite(values[i]))
      throw Error(name,
                  "entry " + std::to_string(i) + " is " + std::to_string(values[i]) + ", expected a finite number");
}

Numbers numbersFrom(const std::string& name, nb::handle returned, Eigen::Index size) {
  Numbers numbers;
  if (!nb::try_cast(returned, numbers)) {
    const auto kind = nb::cast<std::string>(returned.type().attr("__name__"));
    throw nb::type_error(
        (name + ": it returned " + kind + ", expected a row of " + std::to_string(size) + " numbers").c_str());
  }
  requireNumbers(name, numbers, size);
  return numbers;
}

void assign(const std::string& name, const Numbers& values, Eigen::Ref<VectorXd> target) {
  requireNumbers(name, values, target.size());
  target = values;
}

}  // namespace footfall::python
