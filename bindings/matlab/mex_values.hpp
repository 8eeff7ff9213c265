#pragma once

#include <mex.h>

#include <chrono>
#include <span>
#include <string>
#include <vector>

#include "footfall/block/signal.hpp"
#include "footfall/spatial/pose.hpp"

namespace footfall::matlab {

// Between MATLAB's arrays and ours. Everything here throws footfall::Error for wrong arguments: MATLAB's own error
// calls jump out of C++ without running destructors, so they are made at the very end only.

std::string toText(const mxArray* array, const char* what);
double toNumber(const mxArray* array, const char* what);
/// The instant before which a run still makes steps that goes until a time: half a step earlier. Throws where it is
/// past.
double endOfRun(const mxArray* time, double now, double step);

/// A call of a MEX file cannot be interrupted: a run comes back now and then, and is called again by its class, so that
/// Ctrl-C is heard.
class RunSlice {
 public:
  bool over() const { return std::chrono::steady_clock::now() - begin_ > std::chrono::milliseconds(100); }

 private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

/// Exactly `size` finite numbers, as a row or a column.
VectorXd toVector(const mxArray* array, int size, const char* what);
/// Column by column.
VectorXd toMatrix(const mxArray* array, int rows, int columns, const char* what);
std::string toBytes(const mxArray* array, const char* what);
std::string exactText(double value);  ///< as few digits as bring the same number back

mxArray* fromText(const std::string& text);
mxArray* fromNumber(double value);
mxArray* fromVector(const Eigen::Ref<const VectorXd>& values);  ///< a column
mxArray* fromMatrix(const Eigen::Ref<const MatrixXd>& values);
mxArray* fromBytes(const std::string& bytes);               ///< uint8 row
mxArray* fromTexts(const std::vector<std::string>& texts);  ///< cell column
/// A bus becomes a struct with its fields, a matrix a matrix, everything else a column.
mxArray* fromSignal(const SignalType& type, std::span<const double> values);

/// A 1 × 1 struct that is filled field by field. Names that are the same as fields ("a-b", "a_b") get _2, _3 … behind
/// them in their order, as in .mat logs.
class StructBuilder {
 public:
  StructBuilder();
  StructBuilder& add(const std::string& name, mxArray* value);
  mxArray* get() const { return array_; }

 private:
  mxArray* array_;
};

/// The fields that a StructBuilder makes of these names, one after the other: MATLAB's names have letters, digits and
/// underscores only.
std::vector<std::string> fieldNames(const std::vector<std::string>& names);

}  // namespace footfall::matlab
