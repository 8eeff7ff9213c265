#include <fmt/format.h>

#include <algorithm>

#include "block_library/groups.hpp"
#include "block_library/shapes.hpp"
#include "footfall/base/error.hpp"
#include "footfall/block/named_file.hpp"
#include "footfall/log/log_reader.hpp"

namespace footfall {
namespace {

constexpr const char* kCategory = "sources";

/// The last of some rising times that is not after `time`, −1 when all are.
Eigen::Index before(const VectorXd& times, double time) {
  return std::upper_bound(times.begin(), times.end(), time) - times.begin() - 1;
}

class FromFile : public Block {
 public:
  explicit FromFile(const Parameters& p)
      : hold_(p.has("interpolation") && p.choice("interpolation", {"linear", "hold"}) == "hold") {
    const auto log = openLog(namedFile(p, "file").string());
    const std::vector<std::string> names = p.texts("columns");
    if (log->rows() == 0) throw p.error("file", fmt::format("is '{}', which has no rows", log->path()));
    times_ = Eigen::Map<const VectorXd>(log->times().data(), static_cast<Eigen::Index>(log->rows()));
    requireRising(p, "file", times_);
    values_.resize(static_cast<Eigen::Index>(names.size()), times_.size());
    for (std::size_t i = 0; i < names.size(); ++i) {
      const int column = log->columnIndex(names[i]);
      const std::vector<double> numbers = log->column(column);
      values_.row(static_cast<Eigen::Index>(i)) =
          Eigen::Map<const Eigen::RowVectorXd>(numbers.data(), static_cast<Eigen::Index>(numbers.size()));
      if (i == 0) unit_ = log->unit(column);
      if (log->unit(column) != unit_) unit_.clear();
    }
    if (values_.hasNaN()) throw p.error("columns", "have rows without a number");
    unit_ = p.text("unit", unit_);
  }
  static BlockDescription description() {
    return {
        "FromFile",
        kCategory,
        "columns of a log or table over time",
        {{"file",
          "a .csv or .mcap file, looked for beside the file of the diagram; the first column is the time in seconds",
          "", "", true, "file"},
         {"columns", "names of columns, such as \"l_knee.position\"", "", "", true},
         {"interpolation", "between rows: `linear`, or `hold` the row before", "linear", "", false},
         {"unit", "unit of the output", "that of the columns", "", false}},
        {},
        {{"out", "scalar, or vector with one element per column"}},
        "Before the first row its values, after the last row those of the last."};
  }
  void declare(BlockInterface& io) const override { io.output("out", footfall::numbers(values_.rows(), unit_)); }
  void outputs(Evaluation& e) const override {
    const Eigen::Index row = std::max<Eigen::Index>(before(times_, e.time()), 0), last = times_.size() - 1;
    e.outVector(0) = values_.col(row);
    if (hold_ || row == last || e.time() <= times_[0]) return;
    const double share = (e.time() - times_[row]) / (times_[row + 1] - times_[row]);
    e.outVector(0) += share * (values_.col(row + 1) - values_.col(row));
  }

 private:
  VectorXd times_;   ///< [s]
  MatrixXd values_;  ///< one column per row of the file
  std::string unit_;
  bool hold_;
};

/// Fifth-order polynomials from rest to rest (Flash and Hogan, 1985).
class MinimumJerk : public Block {
 public:
  explicit MinimumJerk(const Parameters& p)
      : times_(p.vector("times")), points_(p.matrix("points")), unit_(p.text("unit", "")) {
    requireRising(p, "times", times_);
    if (times_.size() < 2) throw p.error("times", "has one time, expected two or more");
    if (points_.rows() != times_.size())
      throw p.error("points",
                    fmt::format("has {} points, expected one for each of the {} times", points_.rows(), times_.size()));
  }
  static BlockDescription description() {
    return {"MinimumJerk",
            kCategory,
            "smooth motion through points, at rest in each of them",
            {{"times", "at which the points are reached, rising", "", "s", true},
             {"points", "a list of numbers, or of lists for vectors; one for each time", "", "-", true},
             {"unit", "unit of the position", "open: fits every input", "", false}},
            {},
            {{"position", "scalar or vector"},
             {"velocity", "its rate [unit/s]"},
             {"acceleration", "rate of that [unit/s^2]"}},
            "Between two points p₀ and p₁, with s from 0 to 1: p = p₀ + (p₁ − p₀)(10 s³ − 15 s⁴ + 6 s⁵)."};
  }
  void declare(BlockInterface& io) const override {
    const auto per = [&](const char* what) { return unit_.empty() ? "" : unit_ + what; };
    io.output("position", footfall::numbers(points_.cols(), unit_));
    io.output("velocity", footfall::numbers(points_.cols(), per("/s")));
    io.output("acceleration", footfall::numbers(points_.cols(), per("/s^2")));
  }
  void outputs(Evaluation& e) const override {
    const Eigen::Index last = times_.size() - 2, from = std::clamp<Eigen::Index>(before(times_, e.time()), 0, last);
    const double duration = times_[from + 1] - times_[from];
    const double s = std::clamp((e.time() - times_[from]) / duration, 0.0, 1.0), rest = 1.0 - s;
    const double share = s * s * s * (10.0 + s * (6.0 * s - 15.0));
    const double rate = 30.0 * s * s * rest * rest / duration;
    const double acceleration = 60.0 * s * rest * (1.0 - 2.0 * s) / (duration * duration);
    const auto move = (points_.row(from + 1) - points_.row(from)).transpose();
    e.outVector(0) = points_.row(from).transpose() + share * move;
    e.outVector(1) = rate * move;
    e.outVector(2) = acceleration * move;
  }

 private:
  VectorXd times_;   ///< [s]
  MatrixXd points_;  ///< one row per point
  std::string unit_;
};

}  // namespace

void addTrajectories(BlockRegistry& registry) {
  registry.add<FromFile>();
  registry.add<MinimumJerk>();
}

}  // namespace footfall
