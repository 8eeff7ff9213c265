#include <fmt/format.h>

#include <algorithm>

#include "block_library/elementwise.hpp"
#include "block_library/groups.hpp"
#include "footfall/base/error.hpp"

namespace footfall {
namespace {

constexpr const char* kCategory = "nonlinear";

VectorXd risingList(const Parameters& p, const char* name) {
  const VectorXd values = p.vector(name);
  if (values.size() < 2) throw p.error(name, "has fewer than two numbers");
  requireRising(p, name, values);
  return values;
}

enum class Beyond { clip, linear };

Beyond beyondOf(const Parameters& p) {
  return p.has("beyond") && p.choice("beyond", {"clip", "linear"}) == "linear" ? Beyond::linear : Beyond::clip;
}

ParameterDescription beyondDescription() {
  return {"beyond", "outside of the table: `clip` to its border, or go on `linear`", "clip", "", false};
}

/// Where a number lies in a list that rises.
struct Place {
  Eigen::Index before;
  double share;  ///< of the way to the next one
};

Place find(const VectorXd& list, double value, Beyond beyond) {
  const Eigen::Index next = std::upper_bound(list.begin(), list.end(), value) - list.begin();
  const Eigen::Index before = std::clamp<Eigen::Index>(next - 1, 0, list.size() - 2);
  const double share = (value - list[before]) / (list[before + 1] - list[before]);
  return {before, beyond == Beyond::clip ? std::clamp(share, 0.0, 1.0) : share};
}

class LookupTable : public Elementwise {
 public:
  explicit LookupTable(const Parameters& p)
      : x_(risingList(p, "x")), y_(p.vector("y")), beyond_(beyondOf(p)), unit_(p.text("unit", "")) {
    if (x_.size() != y_.size())
      throw p.error("y", fmt::format("has {} numbers, expected {} as `x`", y_.size(), x_.size()));
  }
  static BlockDescription description() {
    return {"LookupTable",
            kCategory,
            "a function given by points, straight lines between them",
            {{"x", "inputs, rising", "", "-", true},
             {"y", "outputs at these", "", "-", true},
             beyondDescription(),
             unitDescription()},
            {{"in", "numbers; element by element"}},
            {{"out", "y at in"}},
            ""};
  }

 protected:
  double apply(double in, std::size_t) const override {
    const Place place = find(x_, in, beyond_);
    return y_[place.before] + place.share * (y_[place.before + 1] - y_[place.before]);
  }
  std::string unit(const std::string&) const override { return unit_; }

 private:
  VectorXd x_, y_;
  Beyond beyond_;
  std::string unit_;
};

class LookupTable2D : public Block {
 public:
  explicit LookupTable2D(const Parameters& p)
      : x_(risingList(p, "x")),
        y_(risingList(p, "y")),
        z_(p.matrix("z")),
        beyond_(beyondOf(p)),
        unit_(p.text("unit", "")) {
    if (z_.rows() != x_.size() || z_.cols() != y_.size())
      throw p.error("z", fmt::format("has {} rows of {}, expected {} (one for each x) of {} (one for each y)",
                                     z_.rows(), z_.cols(), x_.size(), y_.size()));
  }
  static BlockDescription description() {
    return {"LookupTable2D",
            kCategory,
            "a function of two numbers given on a grid, bilinear between",
            {{"x", "first inputs, rising", "", "-", true},
             {"y", "second inputs, rising", "", "-", true},
             {"z", "outputs: a list of rows, one for each x", "", "-", true},
             beyondDescription(),
             unitDescription()},
            {{"x", "scalar"}, {"y", "scalar"}},
            {{"out", "z at x and y, scalar"}},
            ""};
  }
  void declare(BlockInterface& io) const override {
    io.input("x", SignalType::scalar());
    io.input("y", SignalType::scalar());
    io.output("out", SignalType::scalar(unit_));
  }
  void outputs(Evaluation& e) const override {
    const Place i = find(x_, e.number(0), beyond_), k = find(y_, e.number(1), beyond_);
    const auto corners = z_.block<2, 2>(i.before, k.before);
    e.set(0, (1.0 - i.share) * ((1.0 - k.share) * corners(0, 0) + k.share * corners(0, 1)) +
                 i.share * ((1.0 - k.share) * corners(1, 0) + k.share * corners(1, 1)));
  }

 private:
  VectorXd x_, y_;
  MatrixXd z_;
  Beyond beyond_;
  std::string unit_;
};

}  // namespace

void addLookupTables(BlockRegistry& registry) {
  registry.add<LookupTable>();
  registry.add<LookupTable2D>();
}

}  // namespace footfall
