#include "mex_values.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstring>

#include "footfall/base/error.hpp"

namespace footfall::matlab {
namespace {

const double* realDoubles(const mxArray* array, const char* what) {
  if (array == nullptr || !mxIsDouble(array) || mxIsComplex(array) || mxIsSparse(array))
    throw Error(what, "expected real numbers of class double");
  return mxGetPr(array);
}

std::string shapeOf(const mxArray* array) {
  return std::to_string(mxGetM(array)) + " × " + std::to_string(mxGetN(array));
}

VectorXd finiteNumbers(const double* values, int count, const char* what) {
  const VectorXd vector = Eigen::Map<const VectorXd>(values, count);
  if (!vector.allFinite()) throw Error(what, "holds NaN or Inf, expected finite numbers");
  return vector;
}

}  // namespace

std::string toText(const mxArray* array, const char* what) {
  char* text = array == nullptr || !mxIsChar(array) ? nullptr : mxArrayToString(array);
  if (text == nullptr) throw Error(what, "expected a text in single quotes");
  std::string copy = text;
  mxFree(text);
  return copy;
}

double toNumber(const mxArray* array, const char* what) {
  const double* values = realDoubles(array, what);
  if (mxGetNumberOfElements(array) != 1 || !std::isfinite(values[0])) throw Error(what, "expected one finite number");
  return values[0];
}

double endOfRun(const mxArray* time, double now, double step) {
  const double wanted = toNumber(time, "time");
  const double end = wanted - 0.5 * step;
  if (end < now - step)
    throw Error("run", "the time " + exactText(wanted) + " s is past: it is " + exactText(now) + " s now",
                "run(time) goes until this time, and not for so long");
  return end;
}

VectorXd toVector(const mxArray* array, int size, const char* what) {
  const double* values = realDoubles(array, what);
  const auto count = static_cast<int>(mxGetNumberOfElements(array));
  if (count != size) throw Error(what, "has " + std::to_string(count) + " numbers, expected " + std::to_string(size));
  // As many numbers in another order would pass for it.
  if (count > 1 && static_cast<int>(std::max(mxGetM(array), mxGetN(array))) != count)
    throw Error(what, "is a matrix " + shapeOf(array) + ", expected a row or a column");
  return finiteNumbers(values, size, what);
}

VectorXd toMatrix(const mxArray* array, int rows, int columns, const char* what) {
  const double* values = realDoubles(array, what);
  if (static_cast<int>(mxGetM(array)) != rows || static_cast<int>(mxGetN(array)) != columns)
    throw Error(what, "is " + shapeOf(array) + ", expected " + std::to_string(rows) + " × " + std::to_string(columns));
  return finiteNumbers(values, rows * columns, what);
}

std::string toBytes(const mxArray* array, const char* what) {
  if (array == nullptr || mxGetClassID(array) != mxUINT8_CLASS) throw Error(what, "expected bytes (class uint8)");
  return {static_cast<const char*>(mxGetData(array)), mxGetNumberOfElements(array)};
}

std::string exactText(double value) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

mxArray* fromText(const std::string& text) { return mxCreateString(text.c_str()); }
mxArray* fromNumber(double value) { return mxCreateDoubleScalar(value); }
mxArray* fromVector(const Eigen::Ref<const VectorXd>& values) { return fromMatrix(values); }

mxArray* fromMatrix(const Eigen::Ref<const MatrixXd>& values) {
  mxArray* array = mxCreateDoubleMatrix(static_cast<mwSize>(values.rows()), static_cast<mwSize>(values.cols()), mxREAL);
  Eigen::Map<MatrixXd>(mxGetPr(array), values.rows(), values.cols()) = values;
  return array;
}

mxArray* fromBytes(const std::string& bytes) {
  mxArray* array = mxCreateNumericMatrix(1, bytes.size(), mxUINT8_CLASS, mxREAL);
  std::memcpy(mxGetData(array), bytes.data(), bytes.size());
  return array;
}

mxArray* fromTexts(const std::vector<std::string>& texts) {
  mxArray* cell = mxCreateCellMatrix(texts.size(), 1);
  for (std::size_t i = 0; i < texts.size(); ++i) mxSetCell(cell, i, fromText(texts[i]));
  return cell;
}

mxArray* fromSignal(const SignalType& type, std::span<const double> values) {
  if (type.kind != SignalType::Kind::bus)
    return fromMatrix(Eigen::Map<const MatrixXd>(values.data(), type.rows, type.columns));
  StructBuilder builder;
  for (const BusField& field : type.fields) {
    const auto size = static_cast<std::size_t>(field.type.size());
    builder.add(field.name, fromSignal(field.type, values.first(size)));
    values = values.subspan(size);
  }
  return builder.get();
}

StructBuilder::StructBuilder() : array_(mxCreateStructMatrix(1, 1, 0, nullptr)) {}

namespace {

/// `taken` says whether there is such a field already.
template <class Taken>
std::string freeField(const std::string& name, const Taken& taken) {
  std::string field;
  for (const char c : name) field += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  if (field.empty() || std::isalpha(static_cast<unsigned char>(field[0])) == 0) field = "x" + field;
  std::string free = field;
  for (int k = 2; taken(free); ++k) free = field + "_" + std::to_string(k);
  return free;
}

}  // namespace

StructBuilder& StructBuilder::add(const std::string& name, mxArray* value) {
  const std::string field =
      freeField(name, [&](const std::string& f) { return mxGetFieldNumber(array_, f.c_str()) >= 0; });
  mxSetFieldByNumber(array_, 0, mxAddField(array_, field.c_str()), value);
  return *this;
}

std::vector<std::string> fieldNames(const std::vector<std::string>& names) {
  std::vector<std::string> fields;
  for (const std::string& name : names)
    fields.push_back(freeField(
        name, [&](const std::string& f) { return std::find(fields.begin(), fields.end(), f) != fields.end(); }));
  return fields;
}

}  // namespace footfall::matlab
